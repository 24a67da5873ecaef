import { isConflict } from '@stoa/kit/db/errors.ts'
import { newId } from '@stoa/kit/ids.ts'
import { type List, toList } from '@stoa/mail-model/list.ts'
import type { Sender, SenderInput, SenderListRequest } from '@stoa/mail-model/senders.ts'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { type DomainView, loadDomain, lockDomain } from '../../hosting/domains/domains.ts'
import { sessionOf } from '../../principal.ts'
import { countSenders, deleteSender, findSender, insertSender, listSenders, type SenderRow } from './queries.ts'

export { isBlocked } from './queries.ts'

/** Somebody's own list, not a feed of addresses: all of those that allow are read with a message. */
const MAX_SENDERS = 1_000

/** The sender that a path names, if its domain is in the account that asks. */
export const loadSender = async (
  ctx: Ctx,
  { params }: { params: { domain_id: string; sender_id: string } },
): Promise<SenderRow> => {
  const { id } = await loadDomain(ctx, { params })
  return (await findSender(ctx.db, id, params.sender_id)) ?? fail('not_found')
}

export const getSenders = async (ctx: Ctx, domain: DomainView, list: SenderListRequest): Promise<List<Sender>> => {
  const { rows, total } = await listSenders(ctx.db, domain.id, list)
  return toList(list, total, rows.map(senderJson))
}

export const addSender = (ctx: Ctx, domain: DomainView, { pattern, action }: SenderInput): Promise<Sender> =>
  ctx.tx(async (tx) => {
    if (!(await lockDomain(tx, sessionOf(ctx).account.id, domain.id))) fail('not_found')
    if ((await countSenders(tx, domain.id)) >= MAX_SENDERS)
      fail('quota_exceeded', { message: `A domain can have up to ${MAX_SENDERS} senders on its list.` })
    const row = { domain_id: domain.id, id: newId(), pattern, action, created_at: ctx.now() }
    return senderJson(
      await insertSender(tx, row).catch((error: unknown) => {
        if (isConflict(error, 'domain_sender_pattern_key'))
          return fail('conflict', { message: 'This sender is already on the list.', cause: error })
        throw error
      }),
    )
  })

export const removeSender = async (ctx: Ctx, { domain_id, id }: SenderRow) => {
  if (!(await ctx.tx((tx) => deleteSender(tx, domain_id, id)))) fail('not_found')
  return { object: 'sender', id, deleted: true } as const
}

const senderJson = (row: SenderRow): Sender => ({
  object: 'sender',
  id: row.id,
  domain_id: row.domain_id,
  pattern: row.pattern,
  action: row.action,
  created_at: row.created_at.toISOString(),
})
