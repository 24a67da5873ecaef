import { z } from 'zod'
import { submission } from './compose.ts'

const person = z.object({ name: z.string().nullable(), email: z.string() })

const attendeeStatuses = ['needs_action', 'accepted', 'tentative', 'declined', 'delegated'] as const

export const answers = ['accepted', 'tentative', 'declined'] as const
export type InvitationAnswer = (typeof answers)[number]

/** An event that somebody invites to, changes, cancels or answers (RFC 5546). */
export const invitation = z.object({
  object: z.literal('invitation'),
  method: z.enum(['request', 'cancel', 'reply', 'publish', 'other']),
  uid: z.string(),
  /** More than 0: the event was changed since it was first announced. */
  sequence: z.int(),
  summary: z.string().nullable(),
  location: z.string().nullable(),
  /** In UTC; a date where `all_day`; without `Z` where no time zone is known. */
  start: z.string().nullable(),
  /** The first moment, or day, after it. */
  end: z.string().nullable(),
  all_day: z.boolean(),
  time_zone: z.string().nullable(),
  repeats: z.enum(['daily', 'weekly', 'monthly', 'yearly']).nullable(),
  status: z.enum(['confirmed', 'tentative', 'cancelled']).nullable(),
  organizer: person.nullable(),
  attendees: z.array(person.extend({ status: z.enum(attendeeStatuses), optional: z.boolean() })),
  /** `attendees` has at most 100 of them. */
  attendees_total: z.int(),
  comment: z.string().nullable(),
  /** What the owner of the mailbox answered; null when they are not invited. */
  answer: z.enum(attendeeStatuses).nullable(),
  /** Whether `POST …/rsvp` is accepted. */
  can_answer: z.boolean(),
})
export type Invitation = z.infer<typeof invitation>

/** The longest comment on an answer. */
const MAX_COMMENT = 1_000

export const rsvpInput = z.object({
  answer: z.enum(answers, { error: 'must be accepted, tentative or declined' }),
  comment: z
    .string({ error: 'must be text' })
    .max(MAX_COMMENT, { error: `must have at most ${MAX_COMMENT} characters` })
    .transform((text) => text.trim().toWellFormed())
    .nullish(),
})
export type RsvpInput = z.output<typeof rsvpInput>

export const rsvp = z.object({
  object: z.literal('rsvp'),
  /** The message with the invitation. */
  message_id: z.uuid(),
  answer: z.enum(answers),
  /** The mail that carries the answer. */
  submission,
})
export type Rsvp = z.infer<typeof rsvp>
