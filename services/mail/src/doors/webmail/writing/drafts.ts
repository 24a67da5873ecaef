import { type Reply, reply } from '@stoa/kit/http/route.ts'
import type { DraftInput } from '@stoa/mail-model/compose.ts'
import type { MessageItem } from '@stoa/mail-model/messages.ts'
import type { Ctx } from '../../../context.ts'
import { fail } from '../../../errors.ts'
import { quotaOf } from '../../../hosting/plans/plans.ts'
import { signInOf } from '../../../principal.ts'
import {
  addMessage,
  destroyMessages,
  folderByRole,
  getMessages,
  type MailTx,
  openMailbox,
  putMessage,
  readMessageAsync,
  refuse,
} from '../../../store/store.ts'
import { messageJson } from '../message-json.ts'
import { withStore } from '../refusals.ts'
import { composeMail, findDraft, requireRoom } from './compose.ts'

/**
 * Saves a draft. A message never changes (RFC 8621 §4): one that takes the place of another has an id of its own, and
 * the other is gone with the same transaction.
 */
export const saveDraft = (ctx: Ctx, body: DraftInput): Promise<Reply<MessageItem>> =>
  withStore(async () => {
    const before = body.id === undefined ? null : await findDraft(ctx, body.id)
    return composeMail(ctx, body, before?.id ?? null, async ({ bytes }) => {
      const { blobs, config } = ctx.parts
      await requireRoom(ctx, bytes.length - (before?.size ?? 0))
      const blob = await putMessage(blobs, bytes, { maxBytes: config.maxMessageBytes })
      const read = await readMessageAsync(bytes)
      const keywords = ['$draft', '$seen', ...(before?.keywords ?? [])]
      const saved = await ctx.tx(async (tx) => {
        const { id: addressId } = signInOf(ctx).address
        const now = ctx.now()
        await openMailbox(tx, addressId)
        if (before) await removeDraft(tx, { addressId, id: before.id, now })
        const folder = await folderByRole(tx, addressId, 'drafts')
        const { messageId } = await addMessage(tx, {
          addressId,
          blob,
          prefix: Buffer.alloc(0),
          read,
          folderIds: [folder?.id ?? refuse('no_such_folder', 'there is no folder for drafts')],
          keywords,
          receivedAt: now,
          now,
          quotaBytes: await quotaOf(tx, addressId),
        })
        const [listed] = await getMessages(tx, addressId, [messageId])
        return listed ?? fail('not_found')
      })
      return reply(messageJson(saved), { status: before ? 200 : 201 })
    })
  })

/** Ends a draft that was replaced or sent; the first request to do so wins. */
export const removeDraft = async (
  tx: MailTx,
  { addressId, id, now }: { addressId: string; id: string; now: Date },
): Promise<void> => {
  const { destroyed } = await destroyMessages(tx, { addressId, messageIds: [id], now })
  if (destroyed.length === 0) fail('not_found', { message: 'The draft was replaced or sent in the meantime.' })
}
