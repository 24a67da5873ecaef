import { parse } from 'chrono-node/en'

/** Longer texts are no times; a grammar of words takes long to see that. */
const MAX_TEXT = 100
const HORIZON_MS = 30 * 86_400_000
/** Clocks differ, and requests take their time. */
const LATE_MS = 60_000

/** `at` null: now. */
export type ScheduleAnswer = { at: Date | null } | { problem: string }

/**
 * When a mail is to leave: ISO 8601, or English words such as `in 1 hour`, `tomorrow at 9am`, `Friday at 3pm ET`. Without
 * a zone it is UTC.
 */
export const readSchedule = (text: string, now: Date): ScheduleAnswer => {
  const at = text.length > MAX_TEXT ? null : (readIso(text.trim()) ?? readWords(text.trim(), now))
  if (at === null) return { problem: 'must be an ISO 8601 time or text like "in 1 hour"' }
  const wait = at.getTime() - now.getTime()
  if (wait < -LATE_MS) return { problem: 'must not be in the past' }
  if (wait > HORIZON_MS) return { problem: 'must be within 30 days' }
  return { at: wait <= 0 ? null : at }
}

const ISO = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)\s?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i

/** Also with a space in place of the T, as databases write it. */
const readIso = (text: string): Date | null => {
  const [, day, time = '00:00', zone = 'Z'] = ISO.exec(text) ?? []
  if (day === undefined) return null
  const clock = time.replace(',', '.').replace(/(\.\d{3})\d+$/, '$1')
  const at = new Date(`${day}T${clock}${fullZone(zone)}`)
  // February 30 would become March 2.
  const isReal = new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) === true
  return isReal && !Number.isNaN(at.getTime()) ? at : null
}

const fullZone = (zone: string): string => {
  const [, sign, hours, minutes = '00'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? []
  return sign === undefined ? 'Z' : `${sign}${hours}:${minutes}`
}

/** The whole text must be one time: what is only part of it may mean something else. */
const readWords = (text: string, now: Date): Date | null => {
  const found = parse(text, { instant: now, timezone: 0 }, { forwardDate: true })
  const [only] = found
  if (!only || found.length > 1 || only.index !== 0 || only.text.length !== text.length || only.end) return null
  const at = only.date()
  return Number.isNaN(at.getTime()) ? null : at
}
