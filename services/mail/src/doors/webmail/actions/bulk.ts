import { inBatches } from '@stoa/kit/db/batches.ts'
import { type Reply, reply } from '@stoa/kit/http/route.ts'
import { newId } from '@stoa/kit/ids.ts'
import {
  type BulkJob,
  MAX_MESSAGES_AT_ONCE,
  type MessageTarget,
  type MessageUpdate,
} from '@stoa/mail-model/message-actions.ts'
import type { MessageFilter } from '@stoa/mail-model/message-filter.ts'
import type { Ctx } from '../../../context.ts'
import { fail } from '../../../errors.ts'
import { signInOf } from '../../../principal.ts'
import { findFolder, type MailDatabase, matchingIds, openMailbox } from '../../../store/store.ts'
import { readMailFilter } from '../lists/filter.ts'
import { withStore } from '../refusals.ts'
import { applyAction, type MailAction, mailAction } from './actions.ts'
import { type BulkJobRow, countRunningJobs, deleteFinishedJobs, findBulkJob, insertBulkJob } from './bulk-queries.ts'

/** What the workers of every process listen to. */
export const BULK_TOPIC = 'bulk_job'

/** The ids of so many are kept with the job. */
const MAX_JOB_MESSAGES = 200_000
/** The most bulk jobs of a mailbox that run at once; further ones are refused. */
const MAX_RUNNING_JOBS = 5
const KEEP_MS = 7 * 86_400_000
const FORGOTTEN_AT_ONCE = 1_000

type Target = { message_ids: string[]; query?: undefined } | { message_ids?: undefined; query: MessageFilter }

/** Refuses a body that does not say which messages it is about, or says it twice. */
export const requireTarget = ({ message_ids: ids, query }: MessageTarget): Target => {
  if (ids && query) return fail('validation_error', { message: 'Send `message_ids` or `query`, not both.' })
  if (ids) return { message_ids: ids }
  return query ? { query } : fail('missing_required_field', { message: 'Missing `message_ids` field.' })
}

/** Does something to messages by their ids, or to all that a search finds: many of those become a job. */
export const act = async (
  ctx: Ctx,
  target: MessageTarget,
  action: MailAction,
): Promise<MessageUpdate | Reply<BulkJob>> => {
  const { message_ids: given, query } = requireTarget(target)
  if (given) return actNow(ctx, given, action)
  return withStore(async () => {
    const addressId = signInOf(ctx).address.id
    if (action.kind === 'move' && !(await findFolder(ctx.db, addressId, action.folderId))) return fail('not_found')
    const filter = await readMailFilter(ctx, query)
    const found = await matchingIds(ctx.parts, { addressId, filter, limit: MAX_JOB_MESSAGES + 1 })
    if (found.length <= MAX_MESSAGES_AT_ONCE) return found.length === 0 ? NOTHING : actNow(ctx, found, action)
    if (found.length > MAX_JOB_MESSAGES)
      return fail('quota_exceeded', {
        message: `The search matches more than ${MAX_JOB_MESSAGES} messages. Narrow it down.`,
      })
    return reply(await startJob(ctx, { addressId, messageIds: found, action }), { status: 202 })
  })
}

const NOTHING: MessageUpdate = { object: 'message_update', updated: 0, not_found: [] }

const actNow = (ctx: Ctx, messageIds: readonly string[], action: MailAction): Promise<MessageUpdate> =>
  withStore(async () => {
    const input = {
      addressId: signInOf(ctx).address.id,
      messageIds: messageIds.map((id) => id.toLowerCase()),
      now: ctx.now(),
    }
    const { updated, notFound } = await ctx.tx((tx) => applyAction(tx, input, action))
    return { object: 'message_update', updated, not_found: [...notFound] }
  })

const startJob = (
  ctx: Ctx,
  { addressId, messageIds, action }: { addressId: string; messageIds: readonly string[]; action: MailAction },
): Promise<BulkJob> =>
  ctx.tx(async (tx) => {
    // Two that begin at the same moment count each other.
    await openMailbox(tx, addressId)
    if ((await countRunningJobs(tx, addressId)) >= MAX_RUNNING_JOBS)
      fail('rate_limit_exceeded', {
        message: `${MAX_RUNNING_JOBS} actions are still running. Wait for one to finish.`,
        headers: { 'retry-after': '5' },
      })
    const id = newId()
    const job = { addressId, id, action, total: messageIds.length, now: ctx.now() }
    await insertBulkJob(tx, { job, batches: batchesOf(messageIds) })
    tx.changes.push({ topic: BULK_TOPIC, event: 'started', data: { id } })
    return bulkJobJson((await findBulkJob(tx, addressId, id)) ?? fail('not_found'))
  })

export const getBulkJob = async (ctx: Ctx, { params }: { params: { job_id: string } }): Promise<BulkJob> =>
  bulkJobJson((await findBulkJob(ctx.db, signInOf(ctx).address.id, params.job_id)) ?? fail('not_found'))

/** Removes jobs that ended a week ago. */
export const forgetBulkJobs = async (database: MailDatabase, now: Date): Promise<void> => {
  const before = new Date(now.getTime() - KEEP_MS)
  await inBatches(database, FORGOTTEN_AT_ONCE, (tx, limit) => deleteFinishedJobs(tx, before, limit))
}

const batchesOf = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / MAX_MESSAGES_AT_ONCE) }, (_, index) =>
    ids.slice(index * MAX_MESSAGES_AT_ONCE, (index + 1) * MAX_MESSAGES_AT_ONCE),
  )

const bulkJobJson = (row: BulkJobRow): BulkJob => ({
  object: 'bulk_job',
  id: row.id,
  action: mailAction.parse(row.action).kind,
  status: row.status,
  total: row.total,
  done: row.done,
  not_found: row.not_found,
  error: row.error,
  created_at: row.created_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
})
