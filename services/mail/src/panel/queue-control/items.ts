import { type List, toList } from '@stoa/mail-model/list.ts'
import type { QueueItem, QueueListRequest } from '@stoa/mail-model/queue.ts'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { ownerOf, recordAct } from '../../hosting/audit/audit.ts'
import { destinationOf, wakeUp } from '../../hosting/enqueue/enqueue.ts'
import { mailHooks } from '../../sending/outcomes/outcomes.ts'
import { dropQueued } from '../../sending/queue/queue.ts'
import { findQueueItem, listQueueItems, makeDue, type QueueItemRow } from './queries.ts'

export const loadQueueItem = async (
  ctx: Ctx,
  { params }: { params: { queue_item_id: string } },
): Promise<QueueItemRow> => (await findQueueItem(ctx.db, params.queue_item_id, ctx.now())) ?? fail('not_found')

/** What waits in the queue, of all accounts. */
export const getQueue = async (ctx: Ctx, list: QueueListRequest): Promise<List<QueueItem>> => {
  const wanted = list.domain === undefined ? list : { ...list, domain: destinationOf(list.domain) }
  const { rows, total } = await listQueueItems(ctx.db, wanted, ctx.now())
  return toList(list, total, rows.map(queueItemJson))
}

/** Tries an item now instead of at its time. */
export const retryQueueItem = async (ctx: Ctx, { id, domain, recipient }: QueueItemRow): Promise<QueueItem> => {
  const now = ctx.now()
  const row = await ctx.tx(async (tx) => {
    if (!(await makeDue(tx, id, now))) return refuseBusy(await findQueueItem(tx, id, now))
    await recordAct(tx, ownerOf(ctx), { action: 'queue.retried', target: recipient })
    tx.changes.push(wakeUp([domain]))
    return findQueueItem(tx, id, now)
  })
  return queueItemJson(row ?? fail('not_found'))
}

/** Gives an item up; its sender gets a failure report. */
export const dropQueueItem = async (ctx: Ctx, { id, recipient, sender }: QueueItemRow) => {
  const { database, blobs, clock, log, config } = ctx.parts
  const hooks = mailHooks(config)
  const onOutcome: typeof hooks.onOutcome = async (tx, outcomes) => {
    await hooks.onOutcome(tx, outcomes)
    await recordAct(tx, ownerOf(ctx), { action: 'queue.dropped', target: recipient, detail: { from: sender } })
  }
  const parts = { database, blobs, hostname: config.hostname, clock, log, onOutcome }
  if (!(await dropQueued(parts, id))) return refuseBusy(await findQueueItem(ctx.db, id, ctx.now()))
  log.info({ queueItemId: id }, 'mail dropped from the queue')
  return { object: 'queue_item', id, deleted: true } as const
}

const refuseBusy = (row: QueueItemRow | undefined): never =>
  row
    ? fail('conflict', { message: 'This message is being sent right now. Try again in a minute.' })
    : fail('not_found')

const queueItemJson = (row: QueueItemRow): QueueItem => ({
  object: 'queue_item',
  id: row.id,
  account_id: row.account_id,
  from: row.sender,
  recipient: row.recipient,
  domain: row.domain,
  state: row.state,
  attempts: row.attempts,
  last_reply: row.last_reply,
  next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
  expires_at: row.expires_at.toISOString(),
  created_at: row.created_at.toISOString(),
})
