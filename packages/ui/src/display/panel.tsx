import { type ReactNode, useId } from 'react'
import { cx } from '../theme/cx.ts'

type PanelProps = {
  title?: ReactNode
  description?: ReactNode
  actions?: ReactNode
  footer?: ReactNode
  /** The content reaches the edges: tables and lists. */
  flush?: boolean
  className?: string
  children: ReactNode
}

/** A framed part of a screen with a heading. */
export const Panel = ({ title, description, actions, footer, flush = false, className, children }: PanelProps) => {
  const id = useId()
  return (
    <section
      {...(title === undefined ? {} : { 'aria-labelledby': id })}
      className={cx('min-w-0 overflow-clip rounded-xl border border-line bg-surface shadow-sm', className)}
    >
      {title === undefined ? null : (
        <div
          className={cx(
            'flex flex-wrap items-start justify-between gap-3 px-5 pt-4',
            flush ? 'border-line border-b pb-3.5' : 'pb-1',
          )}
        >
          <div
            className={cx('flex min-w-0 flex-1 flex-col gap-0.5', description === undefined ? 'basis-24' : 'basis-40')}
          >
            <h2 id={id} className="font-semibold text-ink text-md">
              {title}
            </h2>
            {description === undefined ? null : <p className="max-w-prose text-muted text-sm">{description}</p>}
          </div>
          {actions === undefined ? null : <div className="flex items-center gap-2">{actions}</div>}
        </div>
      )}
      <div className={cx('min-w-0', !flush && (title === undefined ? 'p-5' : 'px-5 pt-3 pb-5'))}>{children}</div>
      {footer === undefined ? null : (
        <div className="flex flex-wrap items-center justify-end gap-2 border-line border-t bg-canvas px-5 py-3">
          {footer}
        </div>
      )}
    </section>
  )
}
