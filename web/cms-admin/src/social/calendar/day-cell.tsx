import { useDroppable } from '@dnd-kit/core'
import { AppLink } from '@stoa/ui/navigation/link.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { NEW_POST_PATH } from '../paths.ts'
import { postStates } from '../statuses.tsx'
import type { CalendarItem } from '../wire.ts'
import { type Day, nameOfDay } from './days.ts'

type DayCellProps = {
  day: Day
  today: Day
  /** Not of the month that is shown. */
  isOutside?: boolean
  head: ReactNode
  className?: string
  children: ReactNode
}

/** A day that posts can be dropped on. */
export const DayCell = ({ day, today, isOutside = false, head, className, children }: DayCellProps) => {
  const { setNodeRef, isOver } = useDroppable({ id: day })
  const isPast = day < today
  return (
    <section
      ref={setNodeRef}
      aria-label={nameOfDay(day)}
      data-day={day}
      className={cx(
        'group flex min-w-0 flex-col gap-1 p-1.5',
        isOutside || isPast ? 'bg-canvas' : 'bg-surface',
        isOver && (isPast ? 'bg-failed-soft!' : 'bg-accent-soft!'),
        className,
      )}
    >
      <div className="flex min-h-6 items-center justify-between gap-1">
        <span
          className={cx(
            'inline-flex h-6 min-w-6 items-center justify-center rounded-full px-1.5 text-xs tabular-nums',
            day === today
              ? 'bg-accent font-semibold text-on-accent'
              : isOutside || isPast
                ? 'text-faint'
                : 'text-muted',
          )}
        >
          {head}
        </span>
        {isPast ? null : (
          <AppLink
            to={`${NEW_POST_PATH}?day=${day}`}
            aria-label={`New post on ${nameOfDay(day)}`}
            className="flex size-6 items-center justify-center rounded-md text-faint opacity-0 hover:bg-hover hover:text-ink focus-visible:opacity-100 group-hover:opacity-100 phone:hidden"
          >
            <Plus aria-hidden className="size-3.5" />
          </AppLink>
        )}
      </div>
      {children}
    </section>
  )
}

const MAX_DOTS = 4
const marks = {
  draft: 'bg-draft-mark',
  scheduled: 'bg-scheduled-mark',
  accent: 'bg-accent',
  live: 'bg-live-mark',
  failed: 'bg-failed-mark',
} as const

/** The items of a day as dots, where there is no room for words. */
export const Dots = ({ items }: { items: readonly CalendarItem[] }) => (
  <span aria-hidden className="flex h-2 items-center justify-center gap-0.5">
    {items.slice(0, MAX_DOTS).map(({ postId, at, status }) => (
      <span key={`${postId} ${at}`} className={cx('size-1.5 rounded-full', marks[postStates[status].tone])} />
    ))}
  </span>
)
