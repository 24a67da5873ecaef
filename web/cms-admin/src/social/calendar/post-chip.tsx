import { useDraggable } from '@dnd-kit/core'
import { AppLink } from '@stoa/ui/navigation/link.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import type { KeyboardEvent } from 'react'
import { NetworkMarks } from '../network-mark.tsx'
import { postPath } from '../paths.ts'
import { nameOfPost } from '../posts/post-text.ts'
import { postStates } from '../statuses.tsx'
import { useLabels } from '../use-labels.ts'
import type { CalendarItem } from '../wire.ts'
import { dayIn, nameOfDay, timeIn } from './days.ts'
import { mayMove } from './move.ts'

const looks = {
  draft: 'border-draft-line bg-draft-soft',
  scheduled: 'border-scheduled-line bg-scheduled-soft',
  accent: 'border-accent-line bg-accent-soft',
  live: 'border-live-line bg-live-soft',
  failed: 'border-failed-line bg-failed-soft',
} as const

const inks = {
  draft: 'text-draft-ink',
  scheduled: 'text-scheduled-ink',
  accent: 'text-accent-ink',
  live: 'text-live-ink',
  failed: 'text-failed-ink',
} as const

type PostChipProps = {
  item: CalendarItem
  zone: string
  /** In a narrow cell, or with room for words. */
  size: 'line' | 'card'
  /** Without it the post stays where it is. */
  onMoveBy?: ((days: number) => void) | undefined
}

/** As many as fit into a narrow cell beside the time. */
const MARKS_IN_CELL = 2

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

/** A post on its day. It is dragged to another one, or moved with Shift and the arrow keys. */
export const PostChip = ({ item, zone, size, onMoveBy }: PostChipProps) => {
  const labelOf = useLabels()
  const canMove = onMoveBy !== undefined && mayMove(item.status)
  const { setNodeRef, listeners, isDragging } = useDraggable({
    id: `${item.postId} ${item.at}`,
    data: { item },
    disabled: !canMove,
  })
  const { tone, label } = postStates[item.status]
  const time = timeIn(zone, item.at)
  const name = nameOfPost(item)
  const press = (event: KeyboardEvent) => {
    const days = STEPS[event.key]
    if (!canMove || !event.shiftKey || days === undefined) return
    event.preventDefault()
    onMoveBy(days)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the link inside, which has the focus
    <div
      ref={setNodeRef}
      {...listeners}
      onKeyDown={press}
      data-post={item.postId}
      className={cx(
        'min-w-0 rounded-md border transition-opacity',
        looks[tone],
        canMove && 'cursor-grab touch-manipulation',
        isDragging && 'opacity-40',
      )}
    >
      <AppLink
        to={postPath(item.postId)}
        className={cx(
          'flex min-w-0 rounded-md text-xs outline-offset-0',
          'flex-col',
          size === 'line' ? 'px-1.5 py-0.5' : 'gap-1 px-2 py-1.5',
        )}
      >
        <span
          className={cx('flex min-w-0 shrink-0 items-center gap-x-1.5', size === 'card' && 'flex-wrap', inks[tone])}
        >
          <span className="font-medium tabular-nums">{time}</span>
          <NetworkMarks networks={item.networks} labelOf={labelOf} max={size === 'line' ? MARKS_IN_CELL : undefined} />
        </span>
        <span className={cx('min-w-0 text-ink', size === 'line' ? 'truncate' : 'wrap-anywhere line-clamp-3')}>
          {name}
        </span>
        <span className="sr-only">
          {`, ${nameOfDay(dayIn(zone, item.at))}, ${label}${canMove ? '. Shift and arrow keys move it' : ''}`}
        </span>
        {size === 'card' && item.status !== 'scheduled' ? (
          <span aria-hidden className={cx('text-2xs', inks[tone])}>
            {label}
          </span>
        ) : null}
      </AppLink>
    </div>
  )
}
