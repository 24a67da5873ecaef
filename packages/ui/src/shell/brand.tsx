import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import { Tooltip } from '../layer/tooltip.tsx'
import { AppLink } from '../navigation/link.tsx'
import { cx } from '../theme/cx.ts'

/** Whose admin this is. */
export type ShellSite = {
  name: string
  /** A picture that fills a square; without one the first letter of the name stands in. */
  logo?: ReactNode
  /** Address of the website that visitors see. */
  url: string | null
}

/** The mark: a roof on columns, the stoa. */
const BrandMark = ({ className }: { className?: string }) => (
  <svg viewBox="0 0 24 24" aria-hidden="true" className={cx('size-6 shrink-0', className)}>
    <rect width="24" height="24" rx="6" className="fill-accent" />
    <path
      d="M5.5 8.2 12 4.9l6.5 3.3v1.3h-13zM7 11h1.9v5.6H7zm4.05 0h1.9v5.6h-1.9zm4.05 0H17v5.6h-1.9zM5.5 17.7h13v1.5h-13z"
      className="fill-on-accent"
    />
  </svg>
)

/** The mark with the product's name. */
export const Brand = ({ product, className }: { product: string; className?: string }) => (
  <span className={cx('inline-flex min-w-0 items-center gap-2', className)}>
    <BrandMark />
    <span className="truncate font-semibold text-base text-ink tracking-tight">
      Stoa <span className="font-normal text-muted">{product}</span>
    </span>
  </span>
)

type Branded = { product: string; site?: ShellSite | undefined }

const SiteMark = ({ site }: { site: ShellSite }) => (
  <span
    aria-hidden
    className="flex size-7 shrink-0 items-center justify-center overflow-hidden rounded-md bg-accent font-semibold text-on-accent text-sm"
  >
    {site.logo ?? [...site.name][0]?.toUpperCase()}
  </span>
)

/** The site by its name; the product as long as the site has none. */
export const SiteName = ({ product, site }: Branded) =>
  site ? (
    <span className="flex min-w-0 items-center gap-2.5">
      <SiteMark site={site} />
      <span className="truncate font-semibold text-base text-ink tracking-tight">{site.name}</span>
    </span>
  ) : (
    <Brand product={product} />
  )

/** The head of the sidebar: leads to the first screen, and to the website. */
export const SiteBrand = ({ product, site, isRail }: Branded & { isRail: boolean }) => {
  const name = site?.name ?? `Stoa ${product}`
  if (isRail)
    return (
      <Tooltip label={name} side="right">
        <AppLink to="/" aria-label={name} className="rounded-md p-0.5">
          {site ? <SiteMark site={site} /> : <BrandMark className="size-7" />}
        </AppLink>
      </Tooltip>
    )
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-1">
      <AppLink to="/" className="rounded-md px-1.5 py-0.5">
        <SiteName product={product} site={site} />
      </AppLink>
      {site?.url ? <ViewSite url={site.url} /> : null}
    </div>
  )
}

/** The website itself, in a tab of its own. */
export const ViewSite = ({ url, isRail = false }: { url: string; isRail?: boolean }) => {
  const link = (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      className={cx(
        'flex items-center rounded-md text-muted text-xs transition-colors hover:bg-hover hover:text-ink touch:h-11',
        isRail ? 'size-7 justify-center' : 'h-6 gap-1.5 self-start px-1.5',
      )}
    >
      <span className={isRail ? 'sr-only' : undefined}>View site</span>
      <ExternalLink aria-label="Opens in a new tab" className={isRail ? 'size-4' : 'size-3.5'} />
    </a>
  )
  return isRail ? (
    <Tooltip label="View site" side="right">
      {link}
    </Tooltip>
  ) : (
    link
  )
}
