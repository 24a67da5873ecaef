import { type Component, findProperty, type Property } from './components.ts'
import { offsetAt, type Zones } from './zones.ts'

/** When something is, in milliseconds. Of `day` and `floating` times these are as if they were of UTC. */
export type CalendarTime = { readonly kind: 'day' | 'floating' | 'moment'; readonly at: number }

const DATE_TIME = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/

/** A date, or a date with a time (RFC 5545 §3.3.4, §3.3.5); what is in a zone nobody knows floats. */
export const readTime = (property: Property | undefined, zones: Zones): CalendarTime | null => {
  const found = DATE_TIME.exec(property?.value.trim() ?? '')
  if (!property || !found) return null
  const [, year, month, day, hour, minute, second, utc] = found
  const at = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour ?? 0),
    Number(minute ?? 0),
    // RFC 5545 §3.3.12: a leap second counts as the one before
    Math.min(59, Number(second ?? 0)),
  )
  const isReal =
    Number(year) >= FIRST_YEAR &&
    new Date(at).toISOString().slice(5, 10) === `${month}-${day}` &&
    Number(hour ?? 0) < 24 &&
    Number(minute ?? 0) < 60
  if (!isReal) return null
  if (hour === undefined) return { kind: 'day', at }
  if (utc === 'Z') return { kind: 'moment', at }
  const zone = property.parameters.get('TZID')
  const offset = zone === undefined ? null : offsetAt(zones, zone, at)
  return offset === null ? { kind: 'floating', at } : { kind: 'moment', at: at - offset }
}

/** Date.UTC takes earlier ones for years of the last century; nobody is invited to either. */
const FIRST_YEAR = 1_000

const DURATION = /^([+-]?)P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?$/
const DAY_MS = 86_400_000

/** When an event ends: it says so, or how long it takes; a day without either is one day long. */
export const readEnd = (event: Component, start: CalendarTime | null, zones: Zones): CalendarTime | null => {
  const end = readTime(findProperty(event, 'DTEND'), zones)
  if (end) return end
  if (!start) return null
  const length = readDuration(findProperty(event, 'DURATION')?.value ?? '')
  if (length !== null) return { ...start, at: start.at + length }
  return start.kind === 'day' ? { ...start, at: start.at + DAY_MS } : null
}

const readDuration = (text: string): number | null => {
  const found = DURATION.exec(text.trim())
  if (!found || found[1] === '-') return null
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = found.slice(2).map((part) => Number(part ?? 0))
  return (weeks * 7 + days) * DAY_MS + hours * 3_600_000 + minutes * 60_000 + seconds * 1_000
}

/** `2026-03-01T10:00:00.000Z`, `2026-03-01` for a day, and without the `Z` where no zone is known. */
export const formatTime = ({ kind, at }: CalendarTime): string | null => {
  const date = new Date(at)
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9_999) return null
  const text = date.toISOString()
  if (kind === 'day') return text.slice(0, 10)
  return kind === 'floating' ? text.slice(0, 19) : text
}

/** The time in iCalendar's format. */
export const calendarText = ({ kind, at }: CalendarTime): string => {
  const text = new Date(at).toISOString().replace(/[-:]/g, '')
  if (kind === 'day') return text.slice(0, 8)
  return text.slice(0, 15) + (kind === 'moment' ? 'Z' : '')
}
