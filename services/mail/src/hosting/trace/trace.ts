import type { Activity } from '@stoa/mail-model/activity.ts'
import { type List, toList } from '@stoa/mail-model/list.ts'
import type { TraceLine, TraceListRequest } from '@stoa/mail-model/trace.ts'
import type { Selectable } from 'kysely'
import type { Ctx } from '../../context.ts'
import { sessionOf } from '../../principal.ts'
import type { ActivityTable } from '../../tables/receiving.ts'
import { listTrace, type TraceRow } from './queries.ts'

export { deleteOldRefused, traceLines } from './queries.ts'
export { createRefusedRecipients, type RefusedRecipients } from './refused.ts'

/** Activity is kept for a month. */
export const TRACE_MS = 30 * 86_400_000

export const getTrace = async (ctx: Ctx, list: TraceListRequest): Promise<List<TraceLine>> => {
  const kept = new Date(ctx.now().getTime() - TRACE_MS)
  const { rows, total } = await listTrace(ctx.db, { accountId: sessionOf(ctx).account.id, kept }, list)
  return toList({ ...list, direction: list.order }, total, rows.map(traceJson))
}

const traceJson = (row: TraceRow): TraceLine => ({
  ...activityJson(row),
  address_id: row.address_id,
  domain_id: row.domain_id,
  count: row.count,
})

export type ActivityRow = Omit<Selectable<ActivityTable>, 'address_id'>

export const activityJson = (row: ActivityRow): Activity => ({
  object: 'activity',
  id: row.id,
  type: row.type,
  direction: row.direction,
  from: row.sender,
  to: row.recipient,
  subject: row.subject,
  message_id: row.message_id,
  size_bytes: row.size_bytes,
  remote_ip: row.remote_ip,
  result: row.result,
  created_at: row.created_at.toISOString(),
})
