import { X } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Button } from '../button/button.tsx'
import { formatNumber } from '../text/format.ts'
import { cx } from '../theme/cx.ts'

type ProgressProps = {
  label: string
  /** Finished and total things; without a total the bar only shows that work goes on. */
  done: number
  total?: number | undefined
  /** What is counted: "entries". */
  unit?: string
  state?: 'running' | 'done' | 'failed' | 'cancelled'
  /** The thing in work, or the result. */
  detail?: ReactNode
  onCancel?: (() => void) | undefined
}

const bars = { running: 'bg-accent', done: 'bg-live-mark', failed: 'bg-failed-mark', cancelled: 'bg-neutral-mark' }

/** Long work: how far it is, in counts, and a way to stop it. */
export const Progress = ({ label, done, total, unit = '', state = 'running', detail, onCancel }: ProgressProps) => {
  const id = useId()
  const known = total !== undefined
  const share = known && total > 0 ? Math.min(1, done / total) : state === 'done' ? 1 : 0
  return (
    <div className="flex min-w-0 flex-col gap-2 text-sm">
      <div className="flex items-center gap-3">
        <span id={id} className="min-w-0 flex-1 truncate font-medium text-ink phone:whitespace-normal">
          {label}
        </span>
        <span className="shrink-0 text-muted text-xs tabular-nums">{countText(done, total, unit)}</span>
        {onCancel && state === 'running' ? (
          <Button size="sm" variant="ghost" icon={<X />} onClick={onCancel} className="-my-1 -mr-2">
            Cancel
          </Button>
        ) : null}
      </div>
      <div
        role="progressbar"
        aria-labelledby={id}
        aria-valuemin={0}
        {...(known
          ? { 'aria-valuemax': total, 'aria-valuenow': done, 'aria-valuetext': countText(done, total, unit) }
          : {})}
        className="h-1.5 overflow-hidden rounded-full bg-pressed"
      >
        <div
          className={cx(
            'h-full rounded-full transition-[width]',
            bars[state],
            !known && state === 'running' && 'w-1/4 animate-slide',
          )}
          style={known || state !== 'running' ? { width: `${share * 100}%` } : undefined}
        />
      </div>
      {detail === undefined ? null : (
        <p className="min-w-0 truncate text-faint text-xs phone:whitespace-normal">{detail}</p>
      )}
    </div>
  )
}

const countText = (done: number, total: number | undefined, unit: string): string => {
  const counted = total === undefined ? formatNumber(done) : `${formatNumber(done)} of ${formatNumber(total)}`
  return unit ? `${counted} ${unit}` : counted
}
