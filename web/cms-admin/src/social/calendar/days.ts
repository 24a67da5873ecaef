import { addDays } from '@stoa/cms-model/time-zones.ts'
import { wallOf } from '../../fields/datetime/zoned-time.ts'

export { addDays }

/** A day of the calendar, `YYYY-MM-DD`, in the zone of the site. */
export type Day = string

export const views = ['month', 'week', 'list'] as const
export type View = (typeof views)[number]

/** How many days the list shows. */
const LIST_DAYS = 30
const WEEK = 7

/** Noon, so that no change of clocks reaches another day. */
const dateOf = (day: Day): Date => new Date(`${day}T12:00:00Z`)
const dayOf = (date: Date): Day => date.toISOString().slice(0, 10)

export const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(+dateOf(text))

/** The day that clocks of the zone show at a moment. */
export const dayIn = (zone: string, at: string): Day => wallOf(at, zone).slice(0, 10)

/** "14:30": the time of day in the zone. */
export const timeIn = (zone: string, at: string): string => wallOf(at, zone).slice(11, 16)

/** `firstDay` is 1 for Monday to 7 for Sunday, as `Intl.Locale` says it. */
export const weekStart = (day: Day, firstDay: number): Day => {
  const weekday = dateOf(day).getUTCDay()
  return addDays(day, -((weekday - firstDay + WEEK) % WEEK))
}

/** The days that a view shows around a day: whole weeks for the month and the week. */
export const daysOf = (view: View, day: Day, firstDay: number): readonly Day[] => {
  if (view === 'list') return run(day, LIST_DAYS)
  if (view === 'week') return run(weekStart(day, firstDay), WEEK)
  const first = `${day.slice(0, 7)}-01`
  const start = weekStart(first, firstDay)
  const last = addDays(nextMonth(first), -1)
  const end = addDays(weekStart(last, firstDay), WEEK)
  return run(start, (+dateOf(end) - +dateOf(start)) / DAY_MS)
}

/** The next or previous month, week or list of the same view. */
export const stepFrom = (view: View, day: Day, direction: 1 | -1): Day => {
  if (view === 'week') return addDays(day, direction * WEEK)
  if (view === 'list') return addDays(day, direction * LIST_DAYS)
  const first = `${day.slice(0, 7)}-01`
  return direction === 1 ? nextMonth(first) : `${addDays(first, -1).slice(0, 7)}-01`
}

/** Items by the day that they are on, each day in the order of its times. */
export const byDay = <T extends { at: string }>(items: readonly T[], zone: string): ReadonlyMap<Day, readonly T[]> => {
  const days = new Map<Day, T[]>()
  for (const item of items.toSorted((a, b) => a.at.localeCompare(b.at))) {
    const day = dayIn(zone, item.at)
    days.set(day, [...(days.get(day) ?? []), item])
  }
  return days
}

/** "March 2026", "2 – 8 March 2026", "1 March – 30 March 2026". */
export const titleOf = (view: View, day: Day, firstDay: number, locale?: string): string => {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
  if (view === 'month') return format({ month: 'long', year: 'numeric' }).format(dateOf(day))
  const days = daysOf(view, day, firstDay)
  const last = days.at(-1) ?? day
  return format({ day: 'numeric', month: 'short', year: 'numeric' }).formatRange(dateOf(days[0] ?? day), dateOf(last))
}

/** "Tuesday 3 March", for readers; `short` is "Tue 3 Mar". */
export const nameOfDay = (day: Day, size: 'long' | 'short' = 'long', locale?: string): string =>
  new Intl.DateTimeFormat(locale, { weekday: size, day: 'numeric', month: size, timeZone: 'UTC' }).format(dateOf(day))

export const weekdayOf = (day: Day, locale?: string): string =>
  new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' }).format(dateOf(day))

/** The first day of the week where the person is. */
export const firstDayHere = (language: string): number => {
  const locale = new Intl.Locale(language)
  const info = 'getWeekInfo' in locale ? locale.getWeekInfo() : undefined
  return info?.firstDay ?? 1
}

const DAY_MS = 86_400_000
const run = (from: Day, count: number): Day[] => Array.from({ length: count }, (_, index) => addDays(from, index))

const nextMonth = (first: Day): Day => {
  const date = dateOf(first)
  date.setUTCMonth(date.getUTCMonth() + 1)
  return dayOf(date)
}
