import { z } from 'zod'
import { address } from './addresses.ts'
import { domainWithRecords } from './domains.ts'
import { listOf, listQuery } from './list.ts'
import { MAX_MESSAGES_AT_ONCE } from './message-actions.ts'
import { messageItem } from './messages.ts'
import { reference } from './objects.ts'
import { moment } from './text.ts'

/** A domain or an address that can still be restored. */
export const deleted = z.object({
  object: z.literal('deleted'),
  id: z.uuid(),
  kind: z.enum(['domain', 'address']),
  /** The domain, or the email address. */
  name: z.string(),
  /** From then on it is gone for good. */
  purge_at: moment,
})
export type Deleted = z.infer<typeof deleted>

export const deletedList = listOf(deleted)
export const deletedListQuery = listQuery({ sort: ['purge_at', 'name'], direction: 'desc' })
export type DeletedListRequest = z.output<typeof deletedListQuery>

export const restored = z.discriminatedUnion('object', [domainWithRecords, address])
export type Restored = z.infer<typeof restored>

/** `?purge=1`: deleted for good, at once. */
export const deleteQuery = z.object({ purge: z.enum(['0', '1'], { error: 'must be 0 or 1' }).optional() })

/** A message that can still be restored. */
export const deletedMessage = messageItem.omit({ thread_count: true, thread_unread: true }).extend({
  /** The folder it was in; it may be gone. */
  folder_id: z.uuid(),
  deleted_at: moment,
  purge_at: moment,
})
export type DeletedMessage = z.infer<typeof deletedMessage>

export const deletedMessageList = listOf(deletedMessage)
export const deletedMessageListQuery = listQuery({
  sort: ['deleted_at', 'received_at', 'subject', 'size_bytes'],
  direction: 'desc',
})
export type DeletedMessageListRequest = z.output<typeof deletedMessageListQuery>

export const restoreMessagesInput = z.object({
  message_ids: z
    .array(reference, { error: 'must be a list of IDs' })
    .min(1, { error: 'must not be empty' })
    .max(MAX_MESSAGES_AT_ONCE, { error: `must have at most ${MAX_MESSAGES_AT_ONCE} IDs` }),
})
