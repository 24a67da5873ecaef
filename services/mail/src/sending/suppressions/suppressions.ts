import type { Tx } from '@stoa/kit/db/database.ts'
import { type List, toList } from '@stoa/mail-model/list.ts'
import type {
  Suppression,
  SuppressionInput,
  SuppressionListRequest,
  SuppressionUpdate,
} from '@stoa/mail-model/suppressions.ts'
import type { Ctx } from '../../context.ts'
import { fail, failMember } from '../../errors.ts'
import { lockPlan } from '../../hosting/plans/plans.ts'
import { sessionOf } from '../../principal.ts'
import type { Tables } from '../../tables.ts'
import {
  countSuppressionRows,
  deleteSuppressionRow,
  findSuppression,
  listSuppressionRows,
  type SuppressionRow,
  updateSuppressionRow,
} from './queries.ts'
import { notifyWebhooks, suppress, suppressionJson } from './suppress.ts'

export { suppressionSpelling } from './spelling.ts'
export { type NewSuppression, suppress, suppressedAmong } from './suppress.ts'

/** The limit of manual suppressions; those that bounces add are never refused. */
const MAX_SUPPRESSIONS = 500_000

export const loadSuppression = async (
  ctx: Ctx,
  { params }: { params: { suppression_id: string } },
): Promise<SuppressionRow> => {
  const wanted = { accountId: sessionOf(ctx).account.id, id: params.suppression_id, now: ctx.now() }
  return (await findSuppression(ctx.db, wanted)) ?? fail('not_found')
}

export const getSuppressions = async (ctx: Ctx, list: SuppressionListRequest): Promise<List<Suppression>> => {
  const { rows, total } = await listSuppressionRows(ctx.db, sessionOf(ctx).account.id, list, ctx.now())
  return toList(list, total, rows.map(suppressionJson))
}

/** Withholds mail to an address until it is let through again, or until the moment given. */
export const addSuppression = (ctx: Ctx, body: SuppressionInput): Promise<Suppression> => {
  const accountId = sessionOf(ctx).account.id
  const now = ctx.now()
  const expiresAt = readExpiry(body.expires_at ?? null, now)
  return ctx.tx(async (tx) => {
    await requireRoom(tx, accountId, 1)
    const given = { email: body.email, origin: 'manual', reason: body.reason ?? null, expiresAt } as const
    const [added] = await suppress(tx, [{ ...given, accountId, sourceId: null }], now)
    return added ? suppressionJson(added) : fail('conflict', { message: 'This address is already suppressed.' })
  })
}

/** Refuses with 413 when so many more would not fit. */
export const requireRoom = async (tx: Tx<Tables>, accountId: string, more: number): Promise<void> => {
  await lockPlan(tx, accountId)
  const count = await countSuppressionRows(tx, accountId, MAX_SUPPRESSIONS)
  if (count + more > MAX_SUPPRESSIONS)
    fail('quota_exceeded', { message: `An account can have up to ${MAX_SUPPRESSIONS} suppressions.` })
}

export const changeSuppression = async (ctx: Ctx, { id }: SuppressionRow, body: SuppressionUpdate) => {
  const { reason, expires_at: expiresAt } = body
  const change = {
    ...(reason !== undefined && { reason }),
    ...(expiresAt !== undefined && { expires_at: readExpiry(expiresAt, ctx.now()) }),
  }
  const accountId = sessionOf(ctx).account.id
  const changed = await ctx.tx((tx) => updateSuppressionRow(tx, { accountId, id, change }))
  return suppressionJson(changed ?? fail('not_found'))
}

/** Lets mail through again. */
export const removeSuppression = (ctx: Ctx, { id }: SuppressionRow) => {
  const accountId = sessionOf(ctx).account.id
  return ctx.tx(async (tx) => {
    const gone = (await deleteSuppressionRow(tx, { accountId, id })) ?? fail('not_found')
    await notifyWebhooks(tx, 'suppression.removed', [gone], ctx.now())
    return { object: 'suppression', id, deleted: true } as const
  })
}

const readExpiry = (given: string | null, now: Date): Date | null => {
  if (given === null) return null
  const expiresAt = new Date(given)
  return expiresAt > now ? expiresAt : failMember('expires_at', 'must be in the future')
}
