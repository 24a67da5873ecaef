import { z } from 'zod'

/** What a stream of `GET /api/mail/events` tells under the name `change`; its id is the modseq. */
export const mailboxEvent = z.object({
  modseq: z.int(),
  /** Folders that came, went, or whose names or counts changed. */
  folders: z.array(z.string()),
  messages_changed: z.boolean(),
  /** Something became of mail that was sent. */
  submissions_changed: z.boolean(),
})
export type MailboxEvent = z.infer<typeof mailboxEvent>
