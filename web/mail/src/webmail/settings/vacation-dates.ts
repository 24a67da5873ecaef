import type { Vacation } from '@stoa/mail-model/vacation.ts'

/** A day as a day picker has it, in the zone of the browser: `2026-05-03`; empty for none. */
export const dayOf = (moment: Date | null): string => {
  if (moment === null) return ''
  const two = (value: number) => String(value).padStart(2, '0')
  return `${String(moment.getFullYear()).padStart(4, '0')}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`
}

/** The moment that a day begins here. */
export const startOf = (day: string): Date | null => {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? []
  return year === undefined ? null : new Date(Number(year), Number(month) - 1, Number(date))
}

/** The moment that a day is over here; days with another length count too. */
export const endOf = (day: string): Date | null => {
  const start = startOf(day)
  return start && new Date(start.getFullYear(), start.getMonth(), start.getDate() + 1)
}

export type Days = { first: string; last: string }

/** The first and the last day away. The end of the service is the moment after it. */
export const daysOf = ({ from_date: from, to_date: to }: Pick<Vacation, 'from_date' | 'to_date'>): Days => ({
  first: dayOf(from === null ? null : new Date(from)),
  last: dayOf(to === null ? null : new Date(new Date(to).getTime() - 1)),
})

/** Back to moments. What was not touched stays to the second: another program may have set it. */
export const momentsOf = (
  days: Days,
  before: Pick<Vacation, 'from_date' | 'to_date'>,
): { from_date: string | null; to_date: string | null } => {
  const known = daysOf(before)
  return {
    from_date: days.first === known.first ? before.from_date : (startOf(days.first)?.toISOString() ?? null),
    to_date: days.last === known.last ? before.to_date : (endOf(days.last)?.toISOString() ?? null),
  }
}

export type VacationState = 'off' | 'waiting' | 'on' | 'over'

export const vacationState = (
  { enabled, from_date: from, to_date: to }: Pick<Vacation, 'enabled' | 'from_date' | 'to_date'>,
  now: Date,
): VacationState => {
  if (!enabled) return 'off'
  if (from !== null && new Date(from) > now) return 'waiting'
  return to !== null && new Date(to) <= now ? 'over' : 'on'
}
