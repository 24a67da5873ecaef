import { type List, toList } from '@stoa/mail-model/list.ts'
import type { TraceLine, TraceListRequest } from '@stoa/mail-model/trace.ts'
import type { Ctx } from '../../context.ts'
import { sessionOf } from '../../principal.ts'
import { activityJson } from './activity.ts'
import { listTrace, type TraceRow } from './queries.ts'

export { type ActivityRow, activityJson } from './activity.ts'
export { deleteOldRefused, deleteRefusedOfGone, traceLines } from './queries.ts'
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
