import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { TextLink } from '../navigation/link.tsx'

type PageHeaderProps = {
  title: ReactNode
  /** The way up, outermost first. */
  crumbs?: readonly { label: string; to: string }[]
  /** A state beside the title. */
  badge?: ReactNode
  description?: ReactNode
  /** The main action last. */
  actions?: ReactNode
}

/** The top of a screen: where it is, what it is, what can be done. */
export const PageHeader = ({ title, crumbs, badge, description, actions }: PageHeaderProps) => (
  <header className="flex flex-col gap-1 pb-5">
    {crumbs && crumbs.length > 0 ? <Crumbs crumbs={crumbs} /> : null}
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
      <div className="flex min-w-0 flex-col gap-1">
        <div className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
          <h1 className="wrap-anywhere min-w-0 font-semibold text-ink text-lg">{title}</h1>
          {badge}
        </div>
        {description === undefined ? null : <p className="max-w-prose text-muted text-sm">{description}</p>}
      </div>
      {actions === undefined ? null : <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </div>
  </header>
)

const Crumbs = ({ crumbs }: { crumbs: NonNullable<PageHeaderProps['crumbs']> }) => (
  <nav aria-label="Breadcrumb">
    <ol className="flex flex-wrap items-center gap-1 text-xs">
      {crumbs.map((crumb) => (
        <li key={crumb.to} className="flex items-center gap-1">
          <TextLink to={crumb.to} className="text-muted! no-underline! py-1 hover:text-ink! touch:py-2">
            {crumb.label}
          </TextLink>
          <ChevronRight aria-hidden className="size-3 text-faint" />
        </li>
      ))}
    </ol>
  </nav>
)
