import type { Tx } from '@stoa/kit/db/database.ts'
import type { InstanceAccountUpdate } from '@stoa/mail-model/instance-accounts.ts'
import type { OwnLimits } from '@stoa/mail-model/plans.ts'
import type { Config } from '../../config.ts'
import { fail } from '../../errors.ts'
import { type Actor, recordAct } from '../../hosting/audit/audit.ts'
import { type PlanName, resumeAccount, suspendAccount } from '../../hosting/plans/plans.ts'
import type { SystemMailParts } from '../../hosting/system-mail/system-mail.ts'
import type { Account } from '../../principal.ts'
import type { Tables } from '../../tables.ts'
import { endSignIn, lockWholeAccount } from '../accounts/accounts.ts'
import { findSubscription, updatePlans } from '../billing/billing.ts'
import { updateGrants } from './queries.ts'

/** What the owner of the instance may do to an account, and a command on the server too. Each act is written down. */

type Which = { accountId: string }

export const suspendFor = async (
  tx: Tx<Tables>,
  actor: Actor,
  { accountId, reason }: Which & { reason: string | null },
): Promise<void> => {
  const account = await lock(tx, accountId)
  await suspendAccount(tx, { accountId, reason, now: actor.now })
  await record(tx, actor, account, { action: 'account.suspended', detail: { reason } })
}

export const resumeFor = async (tx: Tx<Tables>, actor: Actor, { accountId }: Which): Promise<void> => {
  const account = await lock(tx, accountId)
  await resumeAccount(tx, accountId)
  await record(tx, actor, account, { action: 'account.resumed' })
}

/** Ends all sessions and mails a link for a new password, which nobody else sees. The old one works until then. */
export const resetSignIn = async (
  parts: SystemMailParts,
  tx: Tx<Tables>,
  actor: Actor,
  { accountId, removesTotp }: Which & { removesTotp: boolean },
): Promise<void> => {
  const account = await lock(tx, accountId)
  await endSignIn(parts, tx, { account, removesTotp, now: actor.now })
  await record(tx, actor, account, { action: 'account.sign_in_reset', detail: { totp: removesTotp } })
}

type AccountUpdate = Which & {
  plan: PlanName | undefined
  limits: InstanceAccountUpdate['limits']
  billing: Config['billing']
}

/** Settings that are left out stay; a limit of null returns to the plan's. */
export const updateFor = async (
  tx: Tx<Tables>,
  actor: Actor,
  { accountId, plan, limits, billing }: AccountUpdate,
): Promise<void> => {
  const account = await lock(tx, accountId)
  if (plan === undefined && limits === undefined) return
  if (plan !== undefined) await refusePlan(tx, account, plan)
  await updateGrants(tx, accountId, {
    ...(plan !== undefined && { granted_plan: plan }),
    ...(limits !== undefined && { limits: mergeLimits(account.limits, limits) }),
    updated_at: actor.now,
  })
  await updatePlans(tx, { billing, accountIds: [accountId], now: actor.now })
  const changed = limits && changedLimits(account.limits, limits)
  const detail = { ...(plan !== undefined && { plan }), ...(changed !== undefined && { limits: changed }) }
  await record(tx, actor, account, { action: 'account.updated', detail })
}

/** The owner's plan has no limits, and what an account pays for is the payment provider's to change. */
const refusePlan = async (tx: Tx<Tables>, account: Account, plan: PlanName): Promise<void> => {
  if (account.role === 'owner' && plan !== 'unlimited')
    fail('conflict', { message: 'The owner of the instance is always on the unlimited plan.' })
  const subscription = await findSubscription(tx, account.id)
  if (subscription && subscription.reference !== null && subscription.plan !== plan)
    fail('conflict', { message: 'This account pays for a subscription. It can change plans under Plan and usage.' })
}

const mergeLimits = (before: OwnLimits, given: NonNullable<InstanceAccountUpdate['limits']>): OwnLimits => {
  const merged = { ...before, ...given }
  return Object.fromEntries(
    Object.entries(merged).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  )
}

/** Forms send all of them. */
const changedLimits = (before: OwnLimits, given: NonNullable<InstanceAccountUpdate['limits']>) => {
  const known = new Map<string, number>(Object.entries(before))
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => (value ?? null) !== (known.get(name) ?? null)),
  )
}

const lock = async (tx: Tx<Tables>, accountId: string): Promise<Account> =>
  (await lockWholeAccount(tx, accountId)) ?? fail('not_found')

const record = (
  tx: Tx<Tables>,
  actor: Actor,
  { id, email }: Account,
  { action, detail }: { action: Parameters<typeof recordAct>[2]['action']; detail?: Record<string, unknown> },
): Promise<void> => recordAct(tx, actor, { action, target: email, detail: { account_id: id, ...detail } })
