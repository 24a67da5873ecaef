import type {
  InstanceAccount,
  InstanceAccountListRequest,
  InstanceAccountUpdate,
  ResetSignInInput,
  SuspendInput,
} from '@stoa/mail-model/instance-accounts.ts'
import { type List, toList } from '@stoa/mail-model/list.ts'
import type { Usage } from '@stoa/mail-model/plans.ts'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { ownerOf } from '../../hosting/audit/audit.ts'
import { findPlan, limitsJson, planIdOf, planOfAccount } from '../../hosting/plans/plans.ts'
import { sessionOf } from '../../principal.ts'
import { countUsages } from '../entitlement/entitlement.ts'
import { resetSignIn, resumeFor, suspendFor, updateFor } from './operations.ts'
import { findInstanceAccount, type InstanceAccountRow, listInstanceAccounts } from './queries.ts'

export const loadAccount = async (
  ctx: Ctx,
  { params }: { params: { account_id: string } },
): Promise<InstanceAccountRow> => (await findInstanceAccount(ctx.db, params.account_id)) ?? fail('not_found')

export const getAccounts = async (ctx: Ctx, list: InstanceAccountListRequest): Promise<List<InstanceAccount>> => {
  const { rows, total } = await listInstanceAccounts(ctx.db, list)
  return toList(list, total, await withUsage(ctx, rows))
}

export const getAccount = async (ctx: Ctx, row: InstanceAccountRow): Promise<InstanceAccount> => {
  const [shown] = await withUsage(ctx, [row])
  return shown ?? fail('not_found')
}

export const changeAccount = async (
  ctx: Ctx,
  { id }: InstanceAccountRow,
  body: InstanceAccountUpdate,
): Promise<InstanceAccount> => {
  const { plan_id: planId, limits } = body
  const plan =
    planId === undefined ? undefined : (findPlan(planId) ?? fail('not_found', { message: 'Plan not found.' }))
  const { billing } = ctx.config
  await ctx.tx((tx) => updateFor(tx, ownerOf(ctx), { accountId: id, plan, limits, billing }))
  return reread(ctx, id)
}

export const suspend = async (
  ctx: Ctx,
  { id }: InstanceAccountRow,
  { reason }: SuspendInput,
): Promise<InstanceAccount> => {
  if (id === sessionOf(ctx).account.id) fail('conflict', { message: "You can't suspend your own account." })
  await ctx.tx((tx) => suspendFor(tx, ownerOf(ctx), { accountId: id, reason }))
  return reread(ctx, id)
}

export const resume = async (ctx: Ctx, { id }: InstanceAccountRow): Promise<InstanceAccount> => {
  await ctx.tx((tx) => resumeFor(tx, ownerOf(ctx), { accountId: id }))
  return reread(ctx, id)
}

/** Read again after the commit: this may be the account whose sessions have just ended. */
export const resetSignInOf = async (
  ctx: Ctx,
  { id }: InstanceAccountRow,
  { totp }: ResetSignInInput,
): Promise<InstanceAccount> => {
  await ctx.tx((tx) => resetSignIn(ctx.parts, tx, ownerOf(ctx), { accountId: id, removesTotp: totp }))
  return reread(ctx, id)
}

const reread = (ctx: Ctx, id: string): Promise<InstanceAccount> =>
  loadAccount(ctx, { params: { account_id: id } }).then((row) => getAccount(ctx, row))

const withUsage = async (ctx: Ctx, rows: readonly InstanceAccountRow[]): Promise<InstanceAccount[]> => {
  const ids = rows.map(({ id }) => id)
  const usages = await countUsages(ctx.db, ids, ctx.now())
  return rows.flatMap((row) => {
    const usage = usages.get(row.id)
    return usage ? [instanceAccountJson(row, usage)] : []
  })
}

const instanceAccountJson = (row: InstanceAccountRow, usage: Usage): InstanceAccount => ({
  object: 'instance_account',
  id: row.id,
  email: row.email,
  name: row.name,
  role: row.role,
  plan_id: planIdOf(row.plan),
  suspended_at: row.suspended_at?.toISOString() ?? null,
  suspended_reason: row.suspended_reason,
  totp_enabled: row.totp_enabled_at !== null,
  usage,
  limits: limitsJson(planOfAccount(row)),
  limit_overrides: row.limits,
  last_login_at: row.last_login_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
})
