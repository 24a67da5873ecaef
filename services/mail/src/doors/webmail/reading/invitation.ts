import { answers, type InvitationAnswer, type Invitation as InvitationJson } from '@stoa/mail-model/invitations.ts'
import type { Ctx } from '../../../context.ts'
import type { Invitation } from '../../../formats/calendar/calendar.ts'
import { listAliases } from '../../../hosting/addresses/addresses.ts'
import { signInOf } from '../../../principal.ts'

/** Attendees that are shown. */
const MAX_SHOWN = 100

/** What a message is marked with when its invitation was answered. */
export const answerKeyword = (answer: InvitationAnswer): string => `$rsvp_${answer}`

/** As a message shows it, with what the owner of the mailbox answered. */
export const invitationJson = async (
  ctx: Ctx,
  invitation: Invitation,
  keywords: readonly string[],
): Promise<InvitationJson> => {
  const { attendees, isAllDay, timeZone, recurrence: _recurrence, ...rest } = invitation
  const isOwn = await ownAddresses(ctx)
  const attendee = attendees.find(({ email }) => isOwn(email))
  const answered = answers.find((answer) => keywords.includes(answerKeyword(answer)))
  return {
    object: 'invitation',
    ...rest,
    all_day: isAllDay,
    time_zone: timeZone,
    attendees: attendees.slice(0, MAX_SHOWN).map(({ name, email, status, isOptional }) => ({
      name,
      email,
      status,
      optional: isOptional,
    })),
    attendees_total: attendees.length,
    answer: invitation.method === 'request' && attendee ? (answered ?? attendee.status) : null,
    can_answer: problemOf(invitation, isOwn) === null,
  }
}

/** Why an invitation can't be answered by the signed-in user; null when it can. */
export const problemOf = (invitation: Invitation | null, isOwn: (email: string) => boolean): string | null => {
  if (!invitation) return "This message isn't an invitation."
  const { method, status, organizer, attendees } = invitation
  if (method === 'cancel' || status === 'cancelled') return 'This event was canceled.'
  if (method !== 'request') return "This message isn't an invitation."
  if (!organizer) return 'The invitation has no organizer with an email address.'
  if (isOwn(organizer.email)) return 'You organized this event.'
  return attendees.some(({ email }) => isOwn(email)) ? null : "You aren't on the guest list of this invitation."
}

/** Whether an address is that of the mailbox, or one of its aliases. */
export const ownAddresses = async (ctx: Ctx): Promise<(email: string) => boolean> => {
  const { id, email } = signInOf(ctx).address
  const own = [email, ...(await listAliases(ctx.db, id))].map((address) => address.toLowerCase())
  return (asked) => {
    const plain = asked.toLowerCase().replace(/\+[^@]*(?=@)/, '')
    return own.some((address) => address === plain || fits(plain, address))
  }
}

/** A pattern has exactly one `*`. */
const fits = (email: string, pattern: string): boolean => {
  const [start = '', end] = pattern.split('*')
  if (end === undefined || email.length < start.length + end.length) return false
  return email.startsWith(start) && email.endsWith(end)
}
