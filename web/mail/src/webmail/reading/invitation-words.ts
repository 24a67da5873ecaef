import type { Invitation } from '@stoa/mail-model/invitations.ts'
import { formatCount } from '@stoa/ui/text/format.ts'
import { nameOf } from '../people.ts'

const DAY_MS = 86_400_000
const FULL_DAY = { weekday: 'short', day: 'numeric', month: 'long', year: 'numeric' } as const
const TIME = { hour: 'numeric', minute: '2-digit' } as const

/** When it is, in the zone of who reads: "Thu, 5 March 2026, 10:00 – 11:00". Days are the same everywhere. */
export const whenOf = (
  { start, end, all_day: isAllDay }: Pick<Invitation, 'start' | 'end' | 'all_day'>,
  locale?: string,
): string | null => {
  if (start === null) return null
  if (isAllDay) {
    const days = new Intl.DateTimeFormat(locale, { ...FULL_DAY, timeZone: 'UTC' })
    const first = new Date(start)
    // The end is the first day that is not part of it
    const last = new Date((end === null ? first.getTime() + DAY_MS : new Date(end).getTime()) - DAY_MS)
    return last <= first ? days.format(first) : days.formatRange(first, last)
  }
  const begin = new Date(start)
  const format = new Intl.DateTimeFormat(locale, { ...FULL_DAY, ...TIME })
  return end === null || new Date(end) <= begin ? format.format(begin) : format.formatRange(begin, new Date(end))
}

const REPEATS = { daily: 'Daily', weekly: 'Weekly', monthly: 'Monthly', yearly: 'Yearly' } as const

/** How often, for a series. */
export const repeatsOf = ({ repeats }: Pick<Invitation, 'repeats'>): string | null =>
  repeats === null ? null : `Repeats ${REPEATS[repeats].toLowerCase()}`

type Attendee = Invitation['attendees'][number]

/** The kind of calendar message: invitation, update, cancellation or reply. */
export const stateOf = (
  invitation: Pick<Invitation, 'method' | 'status' | 'sequence'> & { attendees: readonly Attendee[] },
): { label: string; tone: 'accent' | 'failed' | 'neutral' } => {
  const { method, status, sequence, attendees } = invitation
  if (method === 'cancel' || status === 'cancelled') return { label: 'Canceled', tone: 'failed' }
  if (method === 'reply') return { label: replyOf(attendees[0]), tone: 'neutral' }
  if (method !== 'request') return { label: 'Event', tone: 'neutral' }
  return sequence > 0 ? { label: 'Updated invitation', tone: 'accent' } : { label: 'Invitation', tone: 'accent' }
}

const replyOf = (attendee: Attendee | undefined): string => {
  if (!attendee) return 'Reply'
  const words = { accepted: 'accepted', declined: 'declined', tentative: 'might attend', delegated: 'delegated' }
  return attendee.status === 'needs_action' ? 'Reply' : `${nameOf(attendee)} ${words[attendee.status]}`
}

/** "3 guests: 1 accepted, 1 declined" */
export const guestsOf = ({ attendees, attendees_total: total }: Invitation): string | null => {
  if (total < 2) return null
  const counts = (['accepted', 'tentative', 'declined'] as const).flatMap((status) => {
    const count = attendees.filter((attendee) => attendee.status === status).length
    return count === 0 ? [] : [`${count} ${status === 'tentative' ? 'maybe' : status}`]
  })
  return `${formatCount(total, 'guest', 'guests')}${counts.length === 0 ? '' : `: ${counts.join(', ')}`}`
}
