import {
  type Component,
  findProperty,
  MAX_CALENDAR_LENGTH,
  type Property,
  parseComponents,
  unescapeText,
} from './components.ts'
import { type CalendarTime, formatTime, readEnd, readTime } from './times.ts'
import { readZones, type Zones } from './zones.ts'

/** What a message with a calendar part is about (RFC 5546 §1.4). */
export type CalendarMethod = 'request' | 'cancel' | 'reply' | 'publish' | 'other'
export type AttendeeStatus = 'needs_action' | 'accepted' | 'tentative' | 'declined' | 'delegated'
export type CalendarPerson = { readonly name: string | null; readonly email: string }
export type Attendee = CalendarPerson & { readonly status: AttendeeStatus; readonly isOptional: boolean }

/** An event that somebody sent (RFC 5545 §3.6.1, RFC 5546 §3.2). */
export type Invitation = {
  readonly method: CalendarMethod
  /** The raw UID, which an answer repeats. */
  readonly uid: string
  readonly sequence: number
  readonly summary: string | null
  readonly location: string | null
  readonly start: string | null
  /** The first moment, or day, that is not part of it. */
  readonly end: string | null
  readonly isAllDay: boolean
  /** What the sender calls the zone that it is planned in. */
  readonly timeZone: string | null
  readonly repeats: 'daily' | 'weekly' | 'monthly' | 'yearly' | null
  readonly status: 'confirmed' | 'tentative' | 'cancelled' | null
  readonly organizer: CalendarPerson | null
  readonly attendees: readonly Attendee[]
  /** The comment of the attendee who answered. */
  readonly comment: string | null
  /** The occurrence of a recurring event that this is about. */
  readonly recurrence: CalendarTime | null
}

/** The most attendees per event; an answer is about one of them. */
const MAX_ATTENDEES = 1_000
const MAX_SUMMARY = 500
const MAX_LOCATION = 1_000
const MAX_COMMENT = 2_000
const MAX_NAME = 200
const MAX_UID = 1_000

/** Reads the event of a calendar part; null for what holds none. It takes any text, and its work is bounded. */
export const readInvitation = (text: string): Invitation | null => {
  if (text.length > MAX_CALENDAR_LENGTH) return null
  const calendar = parseComponents(text.replace(/^\uFEFF/, '')).find(({ name }) => name === 'VCALENDAR')
  const events = calendar?.components.filter(({ name }) => name === 'VEVENT') ?? []
  // Changes of single days follow the series that they are of
  const event = events.find((each) => !findProperty(each, 'RECURRENCE-ID')) ?? events[0]
  const uid = cleaned(event && findProperty(event, 'UID')?.value, MAX_UID)
  return calendar && event && uid !== null ? invitationOf(calendar, event, uid) : null
}

const invitationOf = (calendar: Component, event: Component, uid: string): Invitation => {
  const zones = readZones(calendar)
  const written = findProperty(event, 'DTSTART')
  const start = readTime(written, zones)
  const end = readEnd(event, start, zones)
  const text = (name: string, max: number): string | null => {
    const value = findProperty(event, name)?.value
    return value === undefined ? null : cleaned(unescapeText(value), max)
  }
  return {
    method: methodOf(findProperty(calendar, 'METHOD')),
    uid,
    sequence: Number(/^\d{1,9}$/.exec(findProperty(event, 'SEQUENCE')?.value.trim() ?? '')?.[0] ?? 0),
    summary: text('SUMMARY', MAX_SUMMARY),
    location: text('LOCATION', MAX_LOCATION),
    start: start && formatTime(start),
    end: end && formatTime(end),
    isAllDay: start?.kind === 'day',
    timeZone: cleaned(written?.parameters.get('TZID'), MAX_NAME),
    repeats: repeatsOf(findProperty(event, 'RRULE')),
    status: STATUSES.get(findProperty(event, 'STATUS')?.value.trim().toUpperCase() ?? '') ?? null,
    organizer: personOf(findProperty(event, 'ORGANIZER')),
    attendees: attendeesOf(event),
    comment: text('COMMENT', MAX_COMMENT),
    recurrence: recurrenceOf(event, zones),
  }
}

const METHODS: ReadonlyMap<string, CalendarMethod> = new Map([
  ['REQUEST', 'request'],
  ['CANCEL', 'cancel'],
  ['REPLY', 'reply'],
  ['PUBLISH', 'publish'],
])

/** A file without one is a copy of somebody's calendar (RFC 5546 §1.4). */
const methodOf = (property: Property | undefined): CalendarMethod =>
  property ? (METHODS.get(property.value.trim().toUpperCase()) ?? 'other') : 'publish'

const STATUSES: ReadonlyMap<string, NonNullable<Invitation['status']>> = new Map([
  ['CONFIRMED', 'confirmed'],
  ['TENTATIVE', 'tentative'],
  ['CANCELLED', 'cancelled'],
])

const ANSWERS: ReadonlyMap<string, AttendeeStatus> = new Map([
  ['ACCEPTED', 'accepted'],
  ['TENTATIVE', 'tentative'],
  ['DECLINED', 'declined'],
  ['DELEGATED', 'delegated'],
])

const FREQUENCIES: ReadonlyMap<string, NonNullable<Invitation['repeats']>> = new Map([
  ['DAILY', 'daily'],
  ['WEEKLY', 'weekly'],
  ['MONTHLY', 'monthly'],
  ['YEARLY', 'yearly'],
])

const repeatsOf = (rule: Property | undefined): Invitation['repeats'] => {
  const frequency = /(?:^|;)FREQ=([A-Z]+)/i.exec(rule?.value ?? '')?.[1]?.toUpperCase() ?? ''
  return FREQUENCIES.get(frequency) ?? null
}

const recurrenceOf = (event: Component, zones: Zones): CalendarTime | null =>
  readTime(findProperty(event, 'RECURRENCE-ID'), zones)

const attendeesOf = (event: Component): Attendee[] => {
  const found = event.properties.filter(({ name }) => name === 'ATTENDEE').slice(0, MAX_ATTENDEES)
  return found.flatMap((property) => {
    const person = personOf(property)
    if (!person) return []
    const status = ANSWERS.get(property.parameters.get('PARTSTAT')?.toUpperCase() ?? '') ?? 'needs_action'
    return { ...person, status, isOptional: property.parameters.get('ROLE')?.toUpperCase() === 'OPT-PARTICIPANT' }
  })
}

/** RFC 5545 §3.3.3; who is named in another way may have an address beside it (RFC 7986 §6.2). */
const personOf = (property: Property | undefined): CalendarPerson | null => {
  if (!property) return null
  const { value, parameters } = property
  const mailto = /^\s*mailto:(.{1,320})$/i.exec(value)?.[1]
  const email = cleaned(mailto === undefined ? parameters.get('EMAIL') : decoded(mailto), MAX_NAME + 120)
  return email?.includes('@') ? { name: cleaned(parameters.get('CN'), MAX_NAME), email } : null
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Text to be shown on one line, or in a header; null when there is none. */
const cleaned = (text: string | undefined, max: number): string | null =>
  text
    ?.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\s]+/gu, ' ')
    .trim()
    .slice(0, max)
    .toWellFormed() || null
