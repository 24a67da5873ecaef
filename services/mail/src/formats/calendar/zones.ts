import { type Component, findProperty } from './components.ts'

/** The VTIMEZONEs of a file by their names. */
export type Zones = ReadonlyMap<string, readonly Observance[]>

/** A time of the year in which a clock stands still in relation to UTC (RFC 5545 §3.6.5); times of the wall, offsets in ms. */
type Observance = {
  readonly start: number
  readonly from: number
  readonly to: number
  /** Null: it begins once. */
  readonly yearly: {
    readonly month: number
    readonly week: number
    readonly weekday: number
    readonly until: number
  } | null
}

const MAX_ZONES = 20
const MAX_OBSERVANCES = 200
const DAY_MS = 86_400_000

export const readZones = (calendar: Component): Zones => {
  const zones = new Map<string, readonly Observance[]>()
  for (const zone of calendar.components.filter(({ name }) => name === 'VTIMEZONE').slice(0, MAX_ZONES)) {
    const name = findProperty(zone, 'TZID')?.value
    if (name !== undefined)
      zones.set(
        name,
        zone.components.slice(0, MAX_OBSERVANCES).flatMap((each) => readObservance(each) ?? []),
      )
  }
  return zones
}

/** What is to be taken from the time of the wall for UTC, in ms; null when nobody knows the zone. */
export const offsetAt = (zones: Zones, name: string, wall: number): number | null => {
  const known = ianaZone(name)
  if (known) return ianaOffset(known, wall)
  const observances = zones.get(name) ?? []
  const begun = observances
    .flatMap((observance) => {
      const at = lastBegin(observance, wall)
      return at === null ? [] : [{ at, offset: observance.to }]
    })
    .toSorted((one, other) => other.at - one.at)
  return begun[0]?.offset ?? observances.toSorted((one, other) => one.start - other.start)[0]?.from ?? null
}

const readObservance = (component: Component): Observance | null => {
  const value = (name: string): string => findProperty(component, name)?.value ?? ''
  const [, year, month, day, hour, minute] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)\d\d$/.exec(value('DTSTART')) ?? []
  const [from, to] = [readOffset(value('TZOFFSETFROM')), readOffset(value('TZOFFSETTO'))]
  if (year === undefined || from === null || to === null) return null
  const start = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute))
  return { start, from, to, yearly: readYearly(value('RRULE'), start) }
}

const readOffset = (text: string): number | null => {
  const [, sign, hours, minutes] = /^([+-])(\d\d)(\d\d)(?:\d\d)?$/.exec(text.trim()) ?? []
  return hours === undefined ? null : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** The rule that nearly all zones have: a weekday of a month, counted from its beginning or its end. */
const readYearly = (text: string, start: number): Observance['yearly'] => {
  if (!/FREQ=YEARLY/i.test(text)) return null
  const [, week, name = ''] = /BYDAY=(-?[1-5])([A-Z]{2})/i.exec(text) ?? []
  const weekday = WEEKDAYS.indexOf(name.toUpperCase())
  if (week === undefined || weekday === -1) return null
  const month = Number(/BYMONTH=(\d{1,2})/i.exec(text)?.[1] ?? new Date(start).getUTCMonth() + 1) - 1
  const until = /UNTIL=(\d{4})/i.exec(text)?.[1]
  return { month, week: Number(week), weekday, until: until === undefined ? Number.POSITIVE_INFINITY : Number(until) }
}

/** Zones begin in 1601 for Outlook, and remainders of what is below zero are below zero. */
const timeOfDay = (at: number): number => ((at % DAY_MS) + DAY_MS) % DAY_MS

/** When it began last, at or before a time of the wall. */
const lastBegin = ({ start, yearly }: Observance, wall: number): number | null => {
  if (start > wall) return null
  if (!yearly) return start
  const latest = Math.min(new Date(wall).getUTCFullYear(), yearly.until)
  for (const year of [latest, latest - 1]) {
    const at = dayOf(year, yearly) + timeOfDay(start)
    if (at <= wall && at >= start) return at
  }
  return start
}

const dayOf = (year: number, { month, week, weekday }: NonNullable<Observance['yearly']>): number => {
  const first = new Date(week > 0 ? Date.UTC(year, month, 1) : Date.UTC(year, month + 1, 0))
  const ahead = week > 0 ? (weekday - first.getUTCDay() + 7) % 7 : -((first.getUTCDay() - weekday + 7) % 7)
  return first.getTime() + (ahead + (week > 0 ? week - 1 : week + 1) * 7) * DAY_MS
}

const formats = new Map<string, Intl.DateTimeFormat | null>()
/** There are some 600; names that are none are kept too, and senders could make up any number. */
const MAX_FORMATS = 1_000

/** The zone of the IANA's list that a name is, or ends with as in `/example.org/2026/Europe/Berlin`. */
const ianaZone = (name: string): Intl.DateTimeFormat | null => {
  const plain = name.startsWith('/') ? name.split('/').slice(-2).join('/') : name
  const known = formats.get(plain)
  if (known !== undefined) return known
  const format = /^[A-Za-z][A-Za-z0-9_+/-]{1,60}$/.test(plain) ? zoneFormat(plain) : null
  if (formats.size >= MAX_FORMATS) formats.clear()
  formats.set(plain, format)
  return format
}

const zoneFormat = (timeZone: string): Intl.DateTimeFormat | null => {
  const fields = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const
  try {
    return new Intl.DateTimeFormat('en-US', { ...fields, timeZone, hourCycle: 'h23', era: 'short' })
  } catch {
    return null
  }
}

const ianaOffset = (format: Intl.DateTimeFormat, wall: number): number => {
  const offsetOf = (utc: number): number => wallOf(format, utc) - Math.floor(utc / 60_000) * 60_000
  const guess = offsetOf(wall)
  return offsetOf(wall - guess)
}

const wallOf = (format: Intl.DateTimeFormat, utc: number): number => {
  const parts = new Map(format.formatToParts(new Date(utc)).map(({ type, value }) => [type, Number(value)]))
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'))
}
