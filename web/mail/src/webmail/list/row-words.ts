import type { Correspondent, MessageItem } from '@stoa/mail-model/messages.ts'
import { dateFormat } from '@stoa/ui/text/formatters.ts'
import { nameOf } from '../people.ts'

/** Whom a row is about: its sender, or where one's own mail is listed those it goes to. */
export const whoOf = ({ from, to, cc }: Pick<MessageItem, 'from' | 'to' | 'cc'>, isOwn: boolean): string => {
  if (!isOwn) return from ? nameOf(from) : 'Unknown sender'
  const people = [...to, ...cc].map(nameOf)
  return people.length === 0 ? 'No recipients' : `To: ${people.join(', ')}`
}

/** The person a row shows: the sender, or for one's own mail the first recipient. */
export const personOf = (
  { from, to, cc }: Pick<MessageItem, 'from' | 'to' | 'cc'>,
  isOwn: boolean,
): Correspondent | null => (isOwn ? (to[0] ?? cc[0]) : from) ?? null

const DAY_MS = 86_400_000
const WEEK_DAYS = 6

/** How many days ago it was, as calendars count. */
export const daysBefore = (at: Date, now: Date): number => Math.round((dayStart(now) - dayStart(at)) / DAY_MS)

const dayStart = (at: Date): number => new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime()

/** The shortest clear date: the time today, the day this week, then the date. */
export const rowDate = (at: Date, now: Date, locale?: string): string => {
  const days = daysBefore(at, now)
  if (days === 0) return format(at, { hour: 'numeric', minute: '2-digit' }, locale)
  if (days > 0 && days <= WEEK_DAYS) return format(at, { weekday: 'short' }, locale)
  if (at.getFullYear() === now.getFullYear()) return format(at, { day: 'numeric', month: 'short' }, locale)
  return format(at, { day: '2-digit', month: '2-digit', year: 'numeric' }, locale)
}

const format = (at: Date, options: Intl.DateTimeFormatOptions, locale: string | undefined): string =>
  dateFormat(locale, options).format(at)

/** The icons of a row in words, for screen readers; the rest is text already. */
export const marksOf = ({ flags, has_attachments, thread_unread = 0 }: MessageItem): string =>
  [
    !flags.seen || thread_unread > 0 ? 'Unread' : '',
    flags.answered ? 'Answered' : '',
    flags.forwarded ? 'Forwarded' : '',
    has_attachments ? 'With attachments' : '',
  ]
    .filter(Boolean)
    .join(', ')

/** A row stands out until everything of it was read. */
export const isUnread = ({ flags, thread_unread }: MessageItem): boolean =>
  thread_unread === undefined ? !flags.seen && !flags.draft : thread_unread > 0
