import { cx } from '../theme/cx.ts'

type MeterProps = {
  /** Names it for screen readers. */
  label: string
  value: number
  /** Without an end the bar stays empty: there is nothing to be near to. */
  max: number | null
  /** The value in words: "3.1 GB of 5 GB". */
  text: string
  className?: string
}

/** From here on it is worth a look. */
const NEAR = 0.8
const FULL = 0.95

/** How much of something limited is taken; it warns by color before the end, and the words stand beside it. */
export const Meter = ({ label, value, max, text, className }: MeterProps) => {
  const share = max === null ? 0 : max <= 0 ? 1 : Math.min(1, Math.max(0, value / max))
  return (
    // biome-ignore lint/a11y/useSemanticElements: the look of a native meter cannot be changed everywhere
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      aria-valuetext={text}
      className={cx('h-1.5 min-w-0 overflow-hidden rounded-full bg-pressed', className)}
    >
      <div
        className={cx('h-full rounded-full transition-[width]', colourOf(share))}
        style={{ width: `${Math.max(share * 100, value > 0 && max !== null ? 2 : 0)}%` }}
      />
    </div>
  )
}

const colourOf = (share: number): string =>
  share >= FULL ? 'bg-failed-mark' : share >= NEAR ? 'bg-draft-mark' : 'bg-accent'
