import type { Transfer } from '@stoa/mail-model/transfers.ts'
import { formatNumber } from '@stoa/ui/text/format.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { handledBy, isActive } from './progress.ts'

const bars = {
  queued: 'bg-neutral-mark',
  running: 'bg-accent',
  completed: 'bg-live-mark',
  failed: 'bg-failed-mark',
  cancelled: 'bg-neutral-mark',
}

/** How far a transfer is, small enough for a row. */
export const TransferBar = ({ transfer }: { transfer: Transfer }) => {
  const { status, messages_total: total } = transfer
  const handled = handledBy(transfer)
  const share = total === null ? 0 : total === 0 ? 1 : Math.min(1, handled / total)
  const words = total === null ? formatNumber(handled) : `${formatNumber(handled)} of ${formatNumber(total)}`
  return (
    <span className="flex w-44 max-w-full flex-col gap-1">
      <span className="text-muted text-xs tabular-nums">{words} messages</span>
      <span
        role="progressbar"
        aria-label={`Transfer to ${transfer.address}`}
        aria-valuemin={0}
        {...(total === null ? {} : { 'aria-valuemax': total, 'aria-valuenow': handled })}
        aria-valuetext={`${words} messages`}
        className="block h-1.5 overflow-hidden rounded-full bg-pressed"
      >
        <span
          className={cx(
            'block h-full rounded-full transition-[width]',
            bars[status],
            total === null && isActive(transfer) && 'w-1/4 animate-slide',
          )}
          style={total === null && isActive(transfer) ? undefined : { width: `${share * 100}%` }}
        />
      </span>
    </span>
  )
}
