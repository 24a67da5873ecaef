import type { Tx } from '@stoa/kit/db/database.ts'
import { fail } from '../../errors.ts'
import type { Tables } from '../../tables.ts'
import { isSendingStopped, UNPAID } from './past-due.ts'
import { type Plan, type PlanFeature, planOfAccount } from './plan-limits.ts'
import { lockAccountPlan } from './queries.ts'

/**
 * The plan of an account whose domains or addresses are about to be counted: others that do so wait until this
 * transaction ends, so that two cannot both take the last place.
 */
export const lockPlan = async (tx: Tx<Tables>, accountId: string): Promise<Plan> => {
  const account = (await lockAccountPlan(tx, accountId)) ?? fail('not_found')
  return planOfAccount(account)
}

const PLURAL = /(?<=s)es\b|s\b/

/** Refuses with 413 when the plan allows fewer than `wanted`. */
export const refuseOver = (limit: number | null, wanted: number, what: string): void => {
  if (limit === null || wanted <= limit) return
  fail('quota_exceeded', { message: `Your plan allows ${limit} ${limit === 1 ? what.replace(PLURAL, '') : what}.` })
}

/** Refuses with 402 when the plan does not include the feature. */
export const requireFeature = (plan: Plan, feature: PlanFeature): void => {
  if (!plan.features.has(feature)) fail('plan_required')
}

/** Refuses with 402 when the account may not send, because an invoice is unpaid for too long. */
export const requirePaid = ({ plan, pastDueAt }: { plan: string; pastDueAt: Date | null }, now: Date): void => {
  if (plan !== 'unlimited' && isSendingStopped(pastDueAt, now)) fail('plan_required', { message: UNPAID })
}
