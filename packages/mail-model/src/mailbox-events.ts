import { z } from 'zod'
import { folder } from './folders.ts'
import { messageItem } from './messages.ts'

/**
 * What a stream of `GET /api/mail/events` sends as `change`; its ID is the modseq. It includes what changed, so that a
 * screen need not fetch its lists again.
 */
export const mailboxEvent = z.object({
  modseq: z.int(),
  /** Folders that came, went, or whose names or counts changed. */
  folders: z.array(z.string()),
  /** The folders that still exist, in their current state. */
  changed_folders: z.array(folder),
  messages_changed: z.boolean(),
  /** Changed messages; null: more than are reported one by one. */
  messages: z
    .object({
      changed: z.array(messageItem),
      removed: z.array(z.string()),
      /** Conversations that any of it is about: how many messages they have, how many of them are unread, and where. */
      threads: z.array(
        z.object({ id: z.string(), count: z.int(), unread: z.int(), unread_in: z.record(z.string(), z.int()) }),
      ),
    })
    .nullable(),
  /** The status of sent mail changed. */
  submissions_changed: z.boolean(),
  /** The number of scheduled messages; set together with `submissions_changed`. */
  scheduled: z.int().nullable(),
})
export type MailboxEvent = z.infer<typeof mailboxEvent>
