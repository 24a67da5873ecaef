import type { ReactNode } from 'react'
import { cx } from '../theme/cx.ts'
import type { Tone } from './badge.tsx'

export type TimelineStep = {
  key: string
  tone: Tone
  icon: ReactNode
  title: ReactNode
  /** When, at the end of the title's line. */
  at?: ReactNode
  /** What was said, and what follows. */
  children?: ReactNode
}

const marks: Record<Tone, string> = {
  neutral: 'border-neutral-line bg-neutral-soft text-neutral-ink',
  draft: 'border-draft-line bg-draft-soft text-draft-ink',
  live: 'border-live-line bg-live-soft text-live-ink',
  scheduled: 'border-scheduled-line bg-scheduled-soft text-scheduled-ink',
  failed: 'border-failed-line bg-failed-soft text-failed-ink',
  accent: 'border-accent-line bg-accent-soft text-accent-ink',
}

/** Events in a vertical list. */
export const Timeline = ({ label, steps }: { label: string; steps: readonly TimelineStep[] }) => (
  <ol aria-label={label} className="flex min-w-0 flex-col text-sm">
    {steps.map((step, index) => (
      <li key={step.key} className="flex min-w-0 gap-3">
        <span aria-hidden className="flex shrink-0 flex-col items-center">
          <span
            className={cx(
              'flex size-6 items-center justify-center rounded-full border [&_svg]:size-3.5',
              marks[step.tone],
            )}
          >
            {step.icon}
          </span>
          {index === steps.length - 1 ? null : <span className="w-px flex-1 bg-line-strong" />}
        </span>
        <div className={cx('flex min-w-0 flex-1 flex-col gap-1 pt-0.5', index < steps.length - 1 && 'pb-4')}>
          <span className="flex flex-wrap items-baseline justify-between gap-x-3">
            <span className="font-medium text-ink">{step.title}</span>
            {step.at === undefined ? null : <span className="text-faint text-xs">{step.at}</span>}
          </span>
          {step.children === undefined ? null : (
            <div className="flex min-w-0 flex-col gap-1 break-words text-muted">{step.children}</div>
          )}
        </div>
      </li>
    ))}
  </ol>
)
