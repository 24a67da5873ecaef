import type { Mailbox } from '@stoa/mail-model/webmail.ts'
import { formatBytes } from '@stoa/ui/text/format.ts'
import { cx } from '@stoa/ui/theme/cx.ts'

const NEARLY_FULL = 0.9

/** How much room the mail takes, and of how much. */
export const StorageBar = ({ mailbox: { used_bytes: used, quota_bytes: quota } }: { mailbox: Mailbox }) => {
  const share = quota === null ? 0 : Math.min(1, used / Math.max(1, quota))
  const words = quota === null ? `${formatBytes(used)} used` : `${formatBytes(used)} of ${formatBytes(quota)} used`
  return (
    <div className="flex min-w-0 flex-col gap-1.5 desk:px-2">
      <span className="flex justify-between gap-3 text-muted text-xs">
        <span>Storage</span>
        <span className="tabular-nums">{words}</span>
      </span>
      {quota === null ? null : (
        <div aria-hidden className="h-1.5 overflow-hidden rounded-full bg-pressed">
          <div
            className={cx('h-full rounded-full', share >= NEARLY_FULL ? 'bg-failed-mark' : 'bg-accent')}
            style={{ width: `${share * 100}%` }}
          />
        </div>
      )}
      {share >= NEARLY_FULL ? (
        <p className="text-failed-ink text-xs">Almost full. When it's full, new mail is rejected.</p>
      ) : null}
    </div>
  )
}
