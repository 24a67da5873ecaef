import { cx } from '@stoa/ui/theme/cx.ts'
import { Share2 } from 'lucide-react'
import type { ReactNode } from 'react'

const sizes = { xs: 'size-3.5', sm: 'size-5', md: 'size-7', lg: 'size-9' }
const pictures = { xs: 'size-3.5', sm: 'size-3', md: 'size-4', lg: 'size-5' }

type NetworkMarkProps = { network: string; size?: keyof typeof sizes; className?: string | undefined }

/** The sign of a network in one color. Its name stands beside it, so that readers skip it. */
export const NetworkMark = ({ network, size = 'sm', className }: NetworkMarkProps) => (
  <span
    aria-hidden
    className={cx(
      'inline-flex shrink-0 items-center justify-center',
      size !== 'xs' && 'rounded-md border border-line bg-canvas text-muted',
      sizes[size],
      className,
    )}
  >
    <svg viewBox="0 0 24 24" fill="currentColor" aria-hidden className={pictures[size]}>
      {shapes[network] ?? <Share2 strokeWidth={2} />}
    </svg>
  </span>
)

const line = {
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 2.2,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const

/** Drawn here, simple enough for 12 pixels. */
const shapes: Readonly<Record<string, ReactNode>> = {
  facebook: (
    <path d="M14 22v-8h3l.6-4H14V7.8c0-1.2.5-1.9 2-1.9h1.8V2.3C17.400 2.200 16.400 2 15.200 2 12.300 2 10.200 3.700 10.200 7.100V10H7v4h3.200v8z" />
  ),
  instagram: (
    <g {...line}>
      <rect x="3" y="3" width="18" height="18" rx="5" />
      <circle cx="12" cy="12" r="4" />
      <path d="M17.2 6.800h.01" />
    </g>
  ),
  threads: (
    <g {...line}>
      <path d="M18.500 7.500C17.300 4.600 15 3.200 12 3.200c-4.900 0-7.500 3.600-7.500 8.800s2.600 8.800 7.500 8.800c3.900 0 6.700-2.100 6.700-5.100 0-3.200-3-4.600-6.300-4.600-2.700 0-4.100 1.200-4.100 2.800 0 1.700 1.400 2.600 3.200 2.600 2.700 0 3.900-1.900 3.900-5 0-2.300-1.200-3.600-3.300-3.600-1.300 0-2.300.5-3 1.600" />
    </g>
  ),
  x: (
    <path d="M3.200 3h5l4.600 6.300L18.200 3h2.400l-6.700 7.800L21 21h-5l-5-6.900L5 21H2.600l7.300-8.500zm3.600 1.900 10 14.200h1.400L8.200 4.900z" />
  ),
  linkedin: (
    <g>
      <path d="M3.500 9h4v12h-4zM9.800 9h3.800v1.700c.7-1.200 2-2 3.800-2 3 0 4.100 1.900 4.100 5V21h-4v-6.600c0-1.500-.4-2.500-1.700-2.500-1.400 0-2 1-2 2.500V21h-4z" />
      <circle cx="5.500" cy="5" r="2.200" />
    </g>
  ),
  tiktok: (
    <path d="M13 2h3.500c.3 2.600 1.800 4.200 4.300 4.400V10c-1.600 0-3-.5-4.200-1.300v6.800c0 3.900-2.700 6.500-6.300 6.500S4 19.400 4 15.900c0-3.700 2.900-6.400 6.900-6.200v3.700c-1.900-.2-3.200.9-3.200 2.500 0 1.500 1.100 2.500 2.600 2.500s2.700-1 2.700-2.900z" />
  ),
  youtube: (
    <path
      fillRule="evenodd"
      d="M5.500 4.700C8 4.400 16 4.400 18.500 4.700c2 .2 3.200 1.400 3.400 3.400.3 2.400.3 5.400 0 7.800-.2 2-1.400 3.200-3.400 3.400-2.500.3-10.500.3-13 0-2-.2-3.200-1.400-3.400-3.400-.3-2.400-.3-5.400 0-7.800.2-2 1.400-3.200 3.400-3.400M10 8.500v7l6-3.500z"
    />
  ),
  pinterest: (
    <path d="M12.300 2C7.200 2 4.500 5.300 4.500 8.900c0 1.700.9 3.800 2.300 4.400.4.2.5 0 .6-.3l.3-1.200c.1-.2 0-.4-.1-.6-.5-.6-.8-1.500-.8-2.400 0-2.700 2-4.900 5.100-4.900 2.800 0 4.600 1.700 4.600 4.300 0 3.100-1.500 5.300-3.500 5.300-1.200 0-2-.9-1.700-2 .3-1.300.9-2.600.9-3.500 0-.8-.4-1.500-1.300-1.500-1 0-1.900 1.100-1.900 2.500 0 .9.3 1.500.3 1.500L8.100 16c-.4 1.700-.1 4.200 0 5.400.1.5.6.6.8.2.7-1 1.800-3 2.200-4.500l.6-2.100c.4.700 1.500 1.200 2.600 1.200 3.500 0 6-3.300 6-7.300C20.300 4.800 17 2 12.300 2" />
  ),
  mastodon: (
    <g {...line}>
      <path d="M8.500 20.500c1.600.7 4.500.8 6.500.2M4 12.500V8.800c0-3.400 2-5.300 5-5.600 2-.2 4-.2 6 0 3 .3 5 2.200 5 5.600 0 5.500-.8 7.200-4 7.700-2.600.4-5 .4-7.500 0C6 16.200 4 15.500 4 12.500" />
      <path d="M8 12.500V9.200C8 7.800 8.800 7 10 7s2 .9 2 2.300v1.900-1.900C12 7.900 12.800 7 14 7s2 .8 2 2.200v3.300" />
    </g>
  ),
}

type NetworkMarksProps = {
  networks: readonly string[]
  labelOf: (network: string) => string
  /** The number of marks to show where space is limited; the rest are counted. */
  max?: number | undefined
}

/** Several networks in a row, named for readers. */
export const NetworkMarks = ({ networks, labelOf, max = networks.length }: NetworkMarksProps) => {
  const shown = networks.slice(0, networks.length > max ? max - 1 : max)
  return (
    <span className="inline-flex flex-wrap items-center gap-1 align-middle text-muted">
      {shown.map((network) => (
        <NetworkMark key={network} network={network} size="xs" />
      ))}
      {shown.length < networks.length ? (
        <span aria-hidden className="text-2xs tabular-nums">
          +{networks.length - shown.length}
        </span>
      ) : null}
      <span className="sr-only">{networks.map(labelOf).join(', ')}</span>
    </span>
  )
}
