import { readWall, wallOf } from '../../fields/datetime/zoned-time.ts'
import type { SocialStatus } from '../wire.ts'
import { addDays, type Day, dayIn, timeIn } from './days.ts'

/** The time of day that a post gets which never had one. */
const USUAL_TIME = '09:00'
const HOUR_MS = 3_600_000

/** Whether another time can be given: what is out, or on its way, stays where it is. */
export const mayMove = (status: SocialStatus): boolean => status !== 'posted' && status !== 'publishing'

/** Moves a time to another day in the zone of the site: 14:30 stays 14:30 when clocks change in between. */
export const movedTo = (at: string, day: Day, zone: string): string =>
  momentOf(`${day}T${wallOf(at, zone).slice(11)}`, zone) ?? at

/** Moves a time by a number of days; the time of day stays. */
export const movedBy = (at: string, days: number, zone: string): string =>
  movedTo(at, addDays(dayIn(zone, at), days), zone)

export const PAST_DAY = 'That day has passed. Choose today or a later day.'

/** Why a post cannot go out then; undefined when it can. */
export const pastProblem = (at: string, now: Date, zone: string): string | undefined => {
  if (Date.parse(at) > now.getTime()) return undefined
  const today = dayIn(zone, now.toISOString())
  return dayIn(zone, at) === today ? `${timeIn(zone, at)} has already passed today. Choose a later time.` : PAST_DAY
}

/** What to offer for a post without a time: nine in the morning that day, or the next full hour if that has passed. */
export const offeredTime = (day: Day, now: Date, zone: string): string => {
  const usual = momentOf(`${day}T${USUAL_TIME}`, zone)
  if (usual !== undefined && Date.parse(usual) > now.getTime()) return usual
  return new Date(Math.ceil((now.getTime() + 1) / HOUR_MS) * HOUR_MS).toISOString()
}

/** The moment that a date and time input means in the zone of the site; undefined while it is incomplete. */
export const momentOf = (wall: string, zone: string): string | undefined => readWall(wall, zone)?.moment
