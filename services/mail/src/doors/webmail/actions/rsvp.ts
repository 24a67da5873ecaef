import { newId } from '@stoa/kit/ids.ts'
import { answers, type InvitationAnswer, type Rsvp, type RsvpInput } from '@stoa/mail-model/invitations.ts'
import type { Ctx } from '../../../context.ts'
import { fail } from '../../../errors.ts'
import { type Attendee, type Invitation, writeAnswer } from '../../../formats/calendar/calendar.ts'
import { buildMail } from '../../../formats/compose/compose.ts'
import type { Mailbox } from '../../../formats/mime/mime.ts'
import { signInOf } from '../../../principal.ts'
import { type Identity, listIdentities } from '../../../sending/identities/identities.ts'
import { changeKeywords, type WholeMessage } from '../../../store/store.ts'
import { answerKeyword, ownAddresses, problemOf } from '../reading/invitation.ts'
import { contentOf } from '../reading/reading.ts'
import { onOneLine } from '../writing/one-line.ts'
import { isSendable, sendComposed } from '../writing/send.ts'
import { withSubmissions } from '../writing/submission-refusals.ts'

/** Mails the answer to the organizer, as the invited address, and marks the message with it. */
export const answerInvitation = (ctx: Ctx, message: WholeMessage, input: RsvpInput): Promise<Rsvp> =>
  withSubmissions(async () => {
    const { invitation } = (await contentOf(ctx, message, false)).findings
    const isOwn = await ownAddresses(ctx)
    const attendee = invitation?.attendees.find(({ email }) => isOwn(email))
    const problem = problemOf(invitation, isOwn)
    if (problem !== null || !invitation?.organizer || !attendee)
      return fail('validation_error', { message: problem ?? "This message isn't an invitation." })
    if (!isSendable(invitation.organizer.email))
      return fail('validation_error', { message: "The organizer's email address isn't valid." })
    const { organizer } = invitation
    const { identity, from } = await writerOf(ctx, attendee)
    const { id: addressId } = signInOf(ctx).address
    const letter = await writeLetter(ctx, message, { invitation, organizer, from, input })
    const sent = await sendComposed(
      ctx,
      { ...letter, identity },
      {
        envelope: {
          mailFrom: { email: from.email, parameters: null },
          rcptTo: [{ email: organizer.email, parameters: null }],
        },
        draft: null,
        sendAt: ctx.now(),
        also: async (tx) => {
          const others = answers.filter((answer) => answer !== input.answer).map(answerKeyword)
          const add = [answerKeyword(input.answer)]
          await changeKeywords(tx, { addressId, messageIds: [message.id], add, remove: others })
        },
      },
    )
    return { object: 'rsvp', message_id: message.id, answer: input.answer, submission: sent.submission }
  })

/** The address that was invited answers, by the name that its identity has. */
const writerOf = async (ctx: Ctx, attendee: Attendee): Promise<{ identity: Identity; from: Mailbox }> => {
  const { id: addressId, email, name } = signInOf(ctx).address
  const all = await listIdentities(ctx.parts.database, { addressId, email, name }, ctx.now())
  const invited = attendee.email.toLowerCase()
  const identity = all.find((each) => each.email.toLowerCase() === invited) ?? all.find(({ isOwn }) => isOwn)
  if (!identity) return fail('not_found', { message: "This identity doesn't exist." })
  return { identity, from: { name: onOneLine(identity.name) || attendee.name, email: invited } }
}

const WORDS = { accepted: 'Accepted', tentative: 'Tentative', declined: 'Declined' } as const
const SENTENCES: Record<InvitationAnswer, string> = {
  accepted: 'accepted the invitation',
  tentative: 'may attend',
  declined: 'declined the invitation',
}

type Letter = {
  invitation: Invitation
  organizer: NonNullable<Invitation['organizer']>
  from: Mailbox
  input: RsvpInput
}

const writeLetter = async (
  ctx: Ctx,
  { envelope }: WholeMessage,
  { invitation, organizer, from, input: { answer, comment = null } }: Letter,
): Promise<{ bytes: Buffer; messageId: string }> => {
  const now = ctx.now()
  const messageId = `${newId()}@${from.email.slice(from.email.lastIndexOf('@') + 1)}`
  const [parent] = envelope.messageId.filter((id) => /^[^\s<>\p{Cc}]{1,900}$/u.test(id))
  const summary = invitation.summary ?? 'Invitation'
  const bytes = await buildMail({
    from,
    to: [organizer],
    subject: `${WORDS[answer]}: ${summary}`,
    text: `${from.name ?? from.email} ${SENTENCES[answer]}: ${summary}\n${comment ? `\n${comment}\n` : ''}`,
    calendar: {
      method: 'REPLY',
      content: writeAnswer({ invitation, organizer, attendee: from, answer, comment: comment || null, now }),
    },
    messageId,
    ...(parent === undefined ? {} : { inReplyTo: parent, references: [parent] }),
    date: now,
  })
  return { bytes, messageId }
}
