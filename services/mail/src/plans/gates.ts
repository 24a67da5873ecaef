import type { Tx } from '@stoa/kit/db/database.ts'
import { fail } from '../errors.ts'
import type { Tables } from '../tables.ts'
import { type Plan, type PlanFeature, planOf } from './plans.ts'
import { lockAccountPlan } from './queries.ts'

export { findAccountPlan } from './queries.ts'

/**
 * The plan of an account whose domains or addresses are about to be counted: others that do so wait until this
 * transaction ends, so that two cannot both take the last place.
 */
export const lockPlan = async (tx: Tx<Tables>, accountId: string): Promise<Plan> => {
  const account = (await lockAccountPlan(tx, accountId)) ?? fail('not_found')
  return planOf(account.plan)
}

/** Refuses with 413 when the plan allows fewer than `wanted`. */
export const refuseOver = (limit: number | null, wanted: number, what: string): void => {
  if (limit !== null && wanted > limit) fail('quota_exceeded', { message: `Your plan allows ${limit} ${what}.` })
}

/** Refuses with 402 when the plan does not include the feature. */
export const requireFeature = (plan: Plan, feature: PlanFeature): void => {
  if (!plan.features.has(feature)) fail('plan_required')
}
