import type { Vacation } from '@stoa/mail-model/vacation.ts'
import { dayOf, endOf, startOf } from '../../days.ts'

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
