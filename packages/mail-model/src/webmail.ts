import { z } from 'zod'
import { MAX_EMAIL } from './email.ts'
import { givenPassword } from './password.ts'
import { line, moment } from './text.ts'

/** Any text is an address to try: one that nobody can have is answered like one that nobody has. */
export const mailboxLoginInput = z.object({ email: line({ max: MAX_EMAIL }), password: givenPassword })

/** The mailbox that somebody signed in to. */
export const mailbox = z.object({
  object: z.literal('mailbox'),
  id: z.uuid(),
  email: z.string(),
  name: z.string().nullable(),
  /** Null: as much as the plan has. */
  quota_bytes: z.int().nullable(),
  used_bytes: z.int(),
  /** How much mail waits for its moment to be sent. */
  scheduled: z.int(),
  session_expires_at: moment,
})
export type Mailbox = z.infer<typeof mailbox>

export const mailboxSessionRevoked = z.object({ object: z.literal('session'), revoked: z.literal(true) })
