import type { ReactNode } from 'react'
import { cx } from '../theme/cx.ts'

/** The meanings that have a color. */
export type Tone = 'neutral' | 'draft' | 'live' | 'scheduled' | 'failed' | 'accent'

const tones: Record<Tone, { box: string; mark: string }> = {
  neutral: { box: 'border-neutral-line bg-neutral-soft text-neutral-ink', mark: 'bg-neutral-mark' },
  draft: { box: 'border-draft-line bg-draft-soft text-draft-ink', mark: 'bg-draft-mark' },
  live: { box: 'border-live-line bg-live-soft text-live-ink', mark: 'bg-live-mark' },
  scheduled: { box: 'border-scheduled-line bg-scheduled-soft text-scheduled-ink', mark: 'bg-scheduled-mark' },
  failed: { box: 'border-failed-line bg-failed-soft text-failed-ink', mark: 'bg-failed-mark' },
  accent: { box: 'border-accent-line bg-accent-soft text-accent-ink', mark: 'bg-accent' },
}

type BadgeProps = { tone?: Tone; icon?: ReactNode; children: ReactNode }

/** A short word on a background: a role, a plan, a kind. */
export const Badge = ({ tone = 'neutral', icon, children }: BadgeProps) => (
  <span
    className={cx(
      'inline-flex h-5 max-w-full shrink-0 items-center gap-1 whitespace-nowrap rounded-sm border px-1.5 font-medium text-xs [&_svg]:size-3',
      tones[tone].box,
    )}
  >
    {icon}
    <span className="truncate">{children}</span>
  </span>
)

type StatusProps = {
  tone: Tone
  /** Takes several lines instead of being cut. */
  wraps?: boolean
  children: ReactNode
}

/** The state of a thing: a colored dot with the word, so that color is never alone. */
export const Status = ({ tone, wraps = false, children }: StatusProps) => (
  <span
    className={cx(
      'inline-flex max-w-full gap-1.5 text-ink text-sm',
      wraps ? 'items-baseline' : 'items-center whitespace-nowrap',
    )}
  >
    <span aria-hidden className={cx('size-2 shrink-0 rounded-full', tones[tone].mark)} />
    <span className={cx('min-w-0', !wraps && 'truncate')}>{children}</span>
  </span>
)
