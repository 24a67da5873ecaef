import { type ReactNode, Suspense } from 'react'
import { lazyDecoration } from '../shell/lazy-decoration.ts'
import { cx } from '../theme/cx.ts'
import type { DrawingName } from './drawings.tsx'

const Drawing = lazyDecoration(async () => (await import('./drawings.tsx')).Drawing)

/** A drawing where it is all there is of a list, a small sign elsewhere. */
type Picture = { icon: ReactNode; drawing?: never } | { drawing: DrawingName; icon?: never }

type EmptyStateProps = Picture & {
  title: string
  /** What this is and what it is good for. */
  children?: ReactNode
  /** The first action. */
  action?: ReactNode
  /** When it is all there is on a screen, its title is the heading. */
  isScreen?: boolean
  className?: string
}

/** A place without content yet: says what belongs here and offers the first action. */
export const EmptyState = ({
  icon,
  drawing,
  title,
  children,
  action,
  isScreen = false,
  className,
}: EmptyStateProps) => {
  const Title = isScreen ? 'h1' : 'p'
  return (
    <div className={cx('flex flex-col items-center gap-1 px-6 py-14 text-center', className)}>
      {drawing === undefined ? (
        <span
          aria-hidden
          className="mb-3 flex size-10 items-center justify-center rounded-lg border border-line bg-canvas text-muted shadow-sm [&_svg]:size-5"
        >
          {icon}
        </span>
      ) : (
        // Its room is kept, so that nothing jumps when it comes
        <span aria-hidden className="mb-2 h-24 w-40">
          <Suspense>
            <Drawing name={drawing} />
          </Suspense>
        </span>
      )}
      <Title className="font-medium text-base text-ink">{title}</Title>
      {children === undefined ? null : <div className="max-w-field text-balance text-muted text-sm">{children}</div>}
      {action === undefined ? null : <div className="mt-4 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}
