import type { DeletedMessage as DeletedMessageJson, DeletedMessageListRequest } from '@stoa/mail-model/deleted.ts'
import { type List, toList } from '@stoa/mail-model/list.ts'
import type { MessageUpdate } from '@stoa/mail-model/message-actions.ts'
import type { Ctx } from '../../../context.ts'
import { quotaOf } from '../../../hosting/plans/plans.ts'
import { signInOf } from '../../../principal.ts'
import { type DeletedMessage, listDeletedMessages, restoreDeletedMessages } from '../../../store/store.ts'
import { messageJson } from '../message-json.ts'
import { withStore } from '../refusals.ts'

/** What the mailbox has deleted and can get back. */
export const getDeletedMessages = async (
  ctx: Ctx,
  list: DeletedMessageListRequest,
): Promise<List<DeletedMessageJson>> => {
  const { sort, direction, search, page, per_page: limit } = list
  const { messages, total } = await listDeletedMessages(ctx.db, {
    addressId: signInOf(ctx).address.id,
    now: ctx.now(),
    search: search || null,
    sort,
    direction,
    limit,
    offset: (page - 1) * limit,
  })
  return toList(list, total, messages.map(deletedJson))
}

export const restoreMessages = (ctx: Ctx, given: readonly string[]): Promise<MessageUpdate> => {
  const addressId = signInOf(ctx).address.id
  const messageIds = [...new Set(given.map((id) => id.toLowerCase()))]
  return withStore(() =>
    ctx.tx(async (tx) => {
      const quotaBytes = await quotaOf(tx, addressId)
      const { restored, notFound } = await restoreDeletedMessages(tx, {
        addressId,
        messageIds,
        quotaBytes,
        now: ctx.now(),
      })
      return { object: 'message_update', updated: restored.length, not_found: notFound }
    }),
  )
}

const deletedJson = (message: DeletedMessage): DeletedMessageJson => ({
  ...messageJson(message),
  deleted_at: message.deletedAt.toISOString(),
  purge_at: message.purgeAt.toISOString(),
})
