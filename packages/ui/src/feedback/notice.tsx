import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../theme/cx.ts'

export type NoticeTone = 'info' | 'success' | 'warning' | 'danger'

const looks = {
  info: { Icon: Info, box: 'border-accent-line bg-accent-soft', icon: 'text-accent-ink' },
  success: { Icon: CircleCheck, box: 'border-live-line bg-live-soft', icon: 'text-live-ink' },
  warning: { Icon: TriangleAlert, box: 'border-draft-line bg-draft-soft', icon: 'text-draft-ink' },
  danger: { Icon: CircleAlert, box: 'border-failed-line bg-failed-soft', icon: 'text-failed-ink' },
} as const

type NoticeProps = {
  tone?: NoticeTone
  title?: ReactNode
  action?: ReactNode
  children?: ReactNode
  className?: string
}

/** A message that stays on the page. Problems are announced at once, the rest when the reader is idle. */
export const Notice = ({ tone = 'info', title, action, children, className }: NoticeProps) => {
  const { Icon, box, icon } = looks[tone]
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'status'}
      className={cx('flex items-start gap-2.5 rounded-lg border px-3 py-2.5 text-ink text-sm', box, className)}
    >
      <Icon aria-hidden className={cx('mt-0.5 size-4 shrink-0', icon)} />
      <div className="min-w-0 flex-1">
        {title === undefined ? null : <p className="font-medium">{title}</p>}
        {children === undefined ? null : <div className={title === undefined ? '' : 'text-muted'}>{children}</div>}
      </div>
      {action}
    </div>
  )
}
