import { cx } from '@stoa/ui/cx.ts'
import { AppLink } from '@stoa/ui/link.tsx'
import { PageHeader } from '@stoa/ui/page-header.tsx'
import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { may } from '../allowed.tsx'
import { meQuery } from '../queries.ts'
import { VISITOR_PATH, VISITOR_SETTINGS_PATH } from './paths.ts'

const places = [
  { to: VISITOR_PATH, label: 'Questions' },
  { to: VISITOR_SETTINGS_PATH, label: 'Settings', needs: 'settings.manage' },
] as const

type VisitorFrameProps = {
  current: (typeof places)[number]['to']
  badge?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** What both screens of the visitor assistant have on top. */
export const VisitorFrame = ({ current, badge, actions, children }: VisitorFrameProps) => {
  const { data: me } = useSuspenseQuery(meQuery)
  const shown = places.filter((place) => !('needs' in place) || may(me, place.needs))
  const label = places.find(({ to }) => to === current)?.label
  return (
    <>
      <title>{`${label} · Visitor assistant · Stoa CMS`}</title>
      <PageHeader
        title="Visitor assistant"
        description="Answers visitors’ questions on your websites from your published content."
        badge={badge}
        actions={actions}
      />
      {shown.length === 1 ? null : (
        <nav aria-label="Visitor assistant" className="mb-5 flex gap-4 border-line border-b">
          {shown.map(({ to, label: name }) => (
            <AppLink
              key={to}
              to={to}
              aria-current={to === current ? 'page' : undefined}
              className={cx(
                '-mb-px flex h-9 shrink-0 items-center border-b-2 px-0.5 font-medium text-sm outline-offset-[-2px] transition-colors hover:text-ink touch:h-11',
                to === current ? 'border-accent text-ink' : 'border-transparent text-muted',
              )}
            >
              {name}
            </AppLink>
          ))}
        </nav>
      )}
      {children}
    </>
  )
}
