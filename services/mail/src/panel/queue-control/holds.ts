import { newId } from '@stoa/kit/ids.ts'
import { type List, toList } from '@stoa/mail-model/list.ts'
import type { QueueHold, QueueHoldInput, QueueHoldListRequest } from '@stoa/mail-model/queue.ts'
import type { Ctx } from '../../context.ts'
import { fail, failMember } from '../../errors.ts'
import { ownerOf, recordAct } from '../../hosting/audit/audit.ts'
import { parseDomainName } from '../../hosting/domains/domains.ts'
import { wakeUp } from '../../hosting/enqueue/enqueue.ts'
import { deleteQueueHold, findQueueHold, insertQueueHold, listQueueHolds, type QueueHoldRow } from './queries.ts'

export const loadQueueHold = async (
  ctx: Ctx,
  { params }: { params: { queue_hold_id: string } },
): Promise<QueueHoldRow> => (await findQueueHold(ctx.db, params.queue_hold_id)) ?? fail('not_found')

export const getQueueHolds = async (ctx: Ctx, list: QueueHoldListRequest): Promise<List<QueueHold>> => {
  const { rows, total } = await listQueueHolds(ctx.db, list)
  return toList(list, total, rows.map(queueHoldJson))
}

/** Keeps mail for a domain in the queue. What is being sent at this moment goes on. */
export const addQueueHold = async (ctx: Ctx, input: QueueHoldInput): Promise<QueueHold> => {
  const domain = parseDomainName(input.domain) ?? failMember('domain', 'must be a domain like example.com')
  const row = { id: newId(), domain, reason: input.reason || null, created_at: ctx.now() }
  const added = await ctx.tx(async (tx) => {
    const held = await insertQueueHold(tx, row)
    if (!held) return fail('conflict', { message: `Mail for ${domain} is already on hold.` })
    await recordAct(tx, ownerOf(ctx), { action: 'queue.hold_added', target: domain, detail: { reason: row.reason } })
    return held
  })
  ctx.log.info({ domain }, 'mail for a domain put on hold')
  return queueHoldJson(added)
}

/** Has mail for the domain leave again, at once where it is due. */
export const removeQueueHold = async (ctx: Ctx, { id }: QueueHoldRow) => {
  await ctx.tx(async (tx) => {
    const { domain } = (await deleteQueueHold(tx, id)) ?? fail('not_found')
    await recordAct(tx, ownerOf(ctx), { action: 'queue.hold_removed', target: domain })
    tx.changes.push(wakeUp([domain]))
  })
  return { object: 'queue_hold', id, deleted: true } as const
}

const queueHoldJson = (row: QueueHoldRow): QueueHold => ({
  object: 'queue_hold',
  id: row.id,
  domain: row.domain,
  reason: row.reason,
  created_at: row.created_at.toISOString(),
})
