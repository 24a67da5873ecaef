import { cx } from '@stoa/ui/theme/cx.ts'

// The tones of the design system; which one a label has follows from its name and so is the same everywhere
const TONES = [
  'border-accent-line bg-accent-soft text-accent-ink',
  'border-live-line bg-live-soft text-live-ink',
  'border-draft-line bg-draft-soft text-draft-ink',
  'border-scheduled-line bg-scheduled-soft text-scheduled-ink',
  'border-failed-line bg-failed-soft text-failed-ink',
  'border-neutral-line bg-neutral-soft text-neutral-ink',
] as const

const MARKS = [
  'bg-accent',
  'bg-live-mark',
  'bg-draft-mark',
  'bg-scheduled-mark',
  'bg-failed-mark',
  'bg-neutral-mark',
] as const

const toneOf = (label: string): number => {
  let sum = 0
  for (const letter of label) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 997
  return sum % TONES.length
}

/** A label as a small coloured word. */
export const LabelChip = ({ label }: { label: string }) => (
  <span className={cx('min-w-0 truncate rounded-sm border px-1 text-2xs', TONES[toneOf(label)])}>{label}</span>
)

/** The colour of a label alone. */
export const LabelDot = ({ label }: { label: string }) => (
  <span aria-hidden className="flex size-4 shrink-0 items-center justify-center">
    <span className={cx('size-2.5 rounded-full', MARKS[toneOf(label)])} />
  </span>
)
