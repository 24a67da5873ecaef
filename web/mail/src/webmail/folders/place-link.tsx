import { AppLink } from '@stoa/ui/navigation/link.tsx'
import { formatNumber } from '@stoa/ui/text/format.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import type { DragEvent, ReactNode } from 'react'
import { placePath } from '../places.ts'
import { type DropTarget, useDrop } from './use-drop.ts'

type PlaceLinkProps = {
  place: string
  icon: ReactNode
  label: string
  count: number
  /** Whether the number is of messages to read, which stands out. */
  isUnread?: boolean
  isCurrent: boolean
  depth?: number
  /** The drop target for messages and folders. */
  drop?: DropTarget
  /** Set if the folder can be dragged. */
  drag?: { onStart: (event: DragEvent) => void; onEnd: () => void } | undefined
  onGo: (() => void) | undefined
  /** Before the icon and after the number. */
  before?: ReactNode
  after?: ReactNode
}

/** One place in the navigation; messages and folders can be dropped on it. */
export const PlaceLink = (props: PlaceLinkProps) => {
  const { place, icon, label, count, isUnread = false, isCurrent, depth = 0, drop, drag, onGo, before, after } = props
  const { isOver, handlers } = useDrop(drop)
  return (
    <div
      {...handlers}
      {...(drag && { draggable: true, onDragStart: drag.onStart, onDragEnd: drag.onEnd })}
      style={depth > 0 ? { paddingInlineStart: `calc(var(--spacing) * ${4 * depth})` } : undefined}
      className={cx(
        'group/place relative flex h-8 items-center rounded-md text-sm transition-colors touch:h-11',
        isOver
          ? 'bg-accent-soft outline-2 outline-accent'
          : isCurrent
            ? 'bg-pressed text-ink'
            : 'text-muted hover:bg-hover hover:text-ink',
      )}
    >
      {before}
      <AppLink
        to={placePath(place)}
        aria-current={isCurrent ? 'page' : undefined}
        onClick={onGo}
        className={cx(
          'flex h-full min-w-0 flex-1 items-center gap-2.5 rounded-md px-2 [&>svg]:size-4 [&>svg]:shrink-0',
          after !== undefined && 'touch:pr-10',
          isCurrent ? 'font-medium' : '[&>svg]:text-faint',
          isUnread && count > 0 && 'font-medium text-ink',
        )}
      >
        {icon}
        <span dir="auto" title={label} className="min-w-0 flex-1 truncate text-left">
          {label}
        </span>
        {count > 0 ? (
          <span
            className={cx(
              'shrink-0 text-xs tabular-nums',
              isUnread ? 'font-medium text-accent-ink' : 'text-muted',
              after !== undefined &&
                'group-focus-within/place:opacity-0 group-hover/place:opacity-0 touch:opacity-100!',
            )}
          >
            {formatNumber(count)}
            <span className="sr-only">{isUnread ? ' unread' : ' messages'}</span>
          </span>
        ) : null}
      </AppLink>
      {after}
    </div>
  )
}
