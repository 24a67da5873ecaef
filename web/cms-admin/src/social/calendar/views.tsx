import { useIsPhone } from '@stoa/ui/browser/use-media-query.ts'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { formatCount } from '@stoa/ui/text/format.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { useState } from 'react'
import type { CalendarItem } from '../wire.ts'
import { DayCell, Dots } from './day-cell.tsx'
import { type Day, nameOfDay, weekdayOf } from './days.ts'
import { PostChip } from './post-chip.tsx'

type Items = ReadonlyMap<Day, readonly CalendarItem[]>

export type ViewProps = {
  days: readonly Day[]
  items: Items
  /** The day that the view is about. */
  day: Day
  today: Day
  zone: string
  /** Without it nobody may move anything. */
  onMoveBy?: ((item: CalendarItem, days: number) => void) | undefined
}

const keyOf = ({ postId, at }: CalendarItem) => `${postId} ${at}`

const Chips = ({
  items,
  size,
  zone,
  onMoveBy,
}: Pick<ViewProps, 'zone' | 'onMoveBy'> & { items: readonly CalendarItem[]; size: 'line' | 'card' }) =>
  items.map((item) => (
    <PostChip
      key={keyOf(item)}
      item={item}
      zone={zone}
      size={size}
      {...(onMoveBy ? { onMoveBy: (days: number) => onMoveBy(item, days) } : {})}
    />
  ))

/** More of one day are behind a button. */
const SHOWN_IN_MONTH = 3

export const MonthView = (props: ViewProps) => (useIsPhone() ? <PhoneMonth {...props} /> : <DeskMonth {...props} />)

const DeskMonth = ({ days, items, day, today, zone, onMoveBy }: ViewProps) => {
  const [opened, setOpened] = useState<Day>()
  return (
    <div className="min-w-0 overflow-clip rounded-xl border border-line shadow-sm">
      <Weekdays days={days} />
      <div className="grid grid-cols-7 gap-px bg-line">
        {days.map((one) => {
          const all = items.get(one) ?? []
          const shown = opened === one ? all : all.slice(0, SHOWN_IN_MONTH)
          return (
            <DayCell
              key={one}
              day={one}
              today={today}
              isOutside={one.slice(0, 7) !== day.slice(0, 7)}
              head={Number(one.slice(8))}
              className="min-h-28"
            >
              <Chips items={shown} size="line" zone={zone} onMoveBy={onMoveBy} />
              {all.length > shown.length ? (
                <button
                  type="button"
                  className="self-start rounded-sm px-1.5 text-muted text-xs hover:text-ink"
                  onClick={() => setOpened(one)}
                >
                  {all.length - shown.length} more
                </button>
              ) : null}
            </DayCell>
          )
        })}
      </div>
    </div>
  )
}

const Weekdays = ({ days }: { days: readonly Day[] }) => (
  <div aria-hidden className="grid grid-cols-7 border-line border-b bg-surface">
    {days.slice(0, 7).map((day) => (
      <span key={day} className="px-3 py-2 text-faint text-xs phone:px-0 phone:text-center">
        {weekdayOf(day)}
      </span>
    ))}
  </div>
)

/** A sheet of days with dots, and the chosen day below it. */
const PhoneMonth = (props: ViewProps) => {
  const { days, items, day, today, zone, onMoveBy } = props
  const [chosen, setChosen] = useState<Day>(days.includes(today) ? today : day)
  const shown = days.includes(chosen) ? chosen : day
  const all = items.get(shown) ?? []
  return (
    <div className="flex flex-col gap-4">
      <div className="overflow-clip rounded-xl border border-line shadow-sm">
        <Weekdays days={days} />
        <div className="grid grid-cols-7 gap-px bg-line">
          {days.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === shown}
              aria-label={`${nameOfDay(one)}, ${formatCount(items.get(one)?.length ?? 0, 'post', 'posts')}`}
              onClick={() => setChosen(one)}
              className={cx(
                'flex h-12 flex-col items-center justify-center gap-1 outline-offset-[-2px]',
                one === shown ? 'bg-accent-soft' : one.slice(0, 7) === day.slice(0, 7) ? 'bg-surface' : 'bg-canvas',
              )}
            >
              <span
                className={cx(
                  'text-xs tabular-nums',
                  one === today
                    ? 'font-semibold text-accent-ink'
                    : one.slice(0, 7) === day.slice(0, 7)
                      ? 'text-ink'
                      : 'text-faint',
                )}
              >
                {Number(one.slice(8))}
              </span>
              <Dots items={items.get(one) ?? []} />
            </button>
          ))}
        </div>
      </div>
      <section aria-label={nameOfDay(shown)} className="flex flex-col gap-2">
        <h2 className="font-medium text-ink text-sm">{nameOfDay(shown)}</h2>
        {all.length === 0 ? <p className="text-faint text-sm">No posts on this day.</p> : null}
        <Chips items={all} size="card" zone={zone} onMoveBy={onMoveBy} />
      </section>
    </div>
  )
}

export const WeekView = ({ days, items, today, zone, onMoveBy }: ViewProps) => (
  <div className="grid min-w-0 gap-px overflow-clip rounded-xl border border-line bg-line shadow-sm desk:grid-cols-7">
    {days.map((one) => (
      <DayCell
        key={one}
        day={one}
        today={today}
        head={`${weekdayOf(one)} ${Number(one.slice(8))}`}
        className="desk:min-h-96"
      >
        <Chips items={items.get(one) ?? []} size="card" zone={zone} onMoveBy={onMoveBy} />
      </DayCell>
    ))}
  </div>
)

export const ListView = ({ days, items, today, zone, onMoveBy }: ViewProps) => {
  const filled = days.filter((one) => (items.get(one)?.length ?? 0) > 0)
  if (filled.length === 0)
    return (
      <div className="rounded-xl border border-line">
        <EmptyState drawing="calendar" title="No posts in these days">
          Schedule a draft, or look at other days.
        </EmptyState>
      </div>
    )
  return (
    <div className="flex flex-col gap-5">
      {filled.map((one) => (
        <section key={one} aria-label={nameOfDay(one)} className="flex flex-col gap-2">
          <h2 className={cx('font-medium text-sm', one === today ? 'text-accent-ink' : 'text-ink')}>
            {nameOfDay(one)}
            {one === today ? ' · Today' : ''}
          </h2>
          <Chips items={items.get(one) ?? []} size="card" zone={zone} onMoveBy={onMoveBy} />
        </section>
      ))}
    </div>
  )
}
