import type { Me } from '@stoa/cms-model/accounts.ts'
import { IconButton } from '@stoa/ui/button/button.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { AppLink } from '@stoa/ui/navigation/link.tsx'
import { formatCount } from '@stoa/ui/text/format.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { useQuery } from '@tanstack/react-query'
import { CalendarClock, CalendarX2, ChevronLeft, ChevronRight, Share2 } from 'lucide-react'
import { useState } from 'react'
import { may } from '../allowed.tsx'
import {
  byDay,
  type Day,
  dayIn,
  firstDayHere,
  nameOfDay,
  stepFrom,
  timeIn,
  titleOf,
  weekdayOf,
} from '../social/calendar/days.ts'
import { calendarQuery } from '../social/queries.ts'
import { isInMonth, type Planned, plannedEntries, plannedPosts, weeksOf } from './calendar.ts'
import { dashboardQuery } from './queries.ts'

/** Up to this many items are listed below the month; a selected day shows all of its own. */
const LISTED = 6

const kinds = {
  publish: { label: 'Goes live', mark: 'bg-scheduled-mark', Icon: CalendarClock },
  unpublish: { label: 'Unpublishes', mark: 'bg-draft-mark', Icon: CalendarX2 },
  social: { label: 'Posts', mark: 'bg-accent', Icon: Share2 },
} as const

/** Scheduled events of this month: entries that go live or end, and social posts. */
export const SchedulePanel = ({ me }: { me: Me }) => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const today = dayIn(zone, new Date().toISOString())
  const firstDay = firstDayHere(navigator.language)
  const [month, setMonth] = useState(today)
  const [chosen, choose] = useState<Day>()
  const weeks = weeksOf(month, firstDay)
  const planned = usePlanned(me, weeks)
  const days = byDay(planned, zone)
  const inMonth = planned.filter(({ at }) => isInMonth(dayIn(zone, at), month)).toSorted(byTime)
  const listed = chosen === undefined ? inMonth.slice(0, LISTED) : (days.get(chosen) ?? [])
  const turn = (direction: 1 | -1) => {
    setMonth(stepFrom('month', month, direction))
    choose(undefined)
  }
  return (
    <Panel
      title="Schedule"
      actions={
        <span className="-my-1 flex items-center">
          <IconButton
            size="sm"
            variant="ghost"
            label="Previous month"
            icon={<ChevronLeft />}
            onClick={() => turn(-1)}
          />
          <span aria-live="polite" className="w-28 text-center text-muted text-sm">
            {titleOf('month', month, firstDay)}
          </span>
          <IconButton size="sm" variant="ghost" label="Next month" icon={<ChevronRight />} onClick={() => turn(1)} />
        </span>
      }
    >
      <table className="w-full table-fixed border-collapse text-center text-xs">
        <caption className="sr-only">Schedule of {titleOf('month', month, firstDay)}</caption>
        <thead>
          <tr>
            {weeks[0]?.map((day) => (
              <th key={day} scope="col" className="pb-1 font-normal text-faint">
                {weekdayOf(day)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day} className="p-0">
                  <DayCell
                    day={day}
                    planned={days.get(day) ?? []}
                    isOther={!isInMonth(day, month)}
                    isToday={day === today}
                    isChosen={day === chosen}
                    onChoose={() => choose(day === chosen ? undefined : day)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {listed.length === 0 ? (
        <p className="mt-3 text-muted text-sm">Nothing scheduled this month</p>
      ) : (
        <ul aria-label="Scheduled this month" className="-mx-2 mt-3 flex flex-col">
          {listed.map((one) => (
            <PlannedLine key={one.id} planned={one} zone={zone} />
          ))}
          {chosen === undefined && inMonth.length > LISTED ? (
            <li className="px-2 pt-1 text-faint text-xs">{inMonth.length - LISTED} more this month</li>
          ) : null}
        </ul>
      )}
    </Panel>
  )
}

const byTime = (a: Planned, b: Planned): number => a.at.localeCompare(b.at)

/** Social posts only where the person may see them; without an answer the entries stand alone. */
const usePlanned = (me: Me, weeks: readonly (readonly Day[])[]): readonly Planned[] => {
  const { data: dashboard } = useQuery(dashboardQuery)
  const days = weeks.flat()
  const { data: posts } = useQuery({
    ...calendarQuery({ from: days[0] ?? '', days: days.length }),
    enabled: may(me, 'social.write'),
  })
  return [...plannedEntries(dashboard?.scheduled ?? []), ...(posts ? plannedPosts(posts) : [])]
}

type DayCellProps = {
  day: Day
  planned: readonly Planned[]
  isOther: boolean
  isToday: boolean
  isChosen: boolean
  onChoose: () => void
}

const DayCell = ({ day, planned, isOther, isToday, isChosen, onChoose }: DayCellProps) => {
  const className = cx(
    'relative mx-auto flex size-8 items-center justify-center rounded-md tabular-nums',
    isToday ? 'font-semibold text-accent-ink' : isOther ? 'text-faint' : 'text-ink',
    isChosen && 'bg-accent-soft',
  )
  const number = Number(day.slice(8))
  if (planned.length === 0)
    return (
      <span className={className} {...(isToday ? { 'aria-current': 'date' } : {})}>
        {number}
      </span>
    )
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      aria-label={`${nameOfDay(day)}, ${formatCount(planned.length, 'scheduled item', 'scheduled items')}`}
      onClick={onChoose}
      className={cx(className, 'touch:size-10 bg-neutral-soft font-medium hover:bg-hover')}
    >
      {number}
      <span aria-hidden className="absolute inset-x-0 bottom-1 flex justify-center gap-0.5">
        {[...new Set(planned.map(({ kind }) => kind))].map((kind) => (
          <span key={kind} className={cx('size-1 rounded-full', kinds[kind].mark)} />
        ))}
      </span>
    </button>
  )
}

const PlannedLine = ({ planned: { at, kind, title, to }, zone }: { planned: Planned; zone: string }) => {
  const { label, Icon } = kinds[kind]
  return (
    <li>
      <AppLink to={to} className="flex items-start gap-2.5 rounded-md px-2 py-1.5 text-ink text-sm hover:bg-hover">
        <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-faint" />
        <span className="flex min-w-0 flex-1 flex-col">
          <span className="truncate">{title}</span>
          <span className="text-muted text-xs">
            {label}{' '}
            <time dateTime={at}>
              {nameOfDay(dayIn(zone, at), 'short')}, {timeIn(zone, at)}
            </time>
          </span>
        </span>
      </AppLink>
    </li>
  )
}
