import type { SubscriptionStatus } from '@stoa/mail-model/plans.ts'

/** A paid subscription that has not ended. */
export type PaidSubscription = {
  plan: string
  priceCents: number
  status: SubscriptionStatus
  cancelAtPeriodEnd: boolean
  pendingPlan: string | null
}

export type SubscriptionStep = 'subscribe' | 'upgrade' | 'downgrade' | 'keep' | 'resume' | 'cancel' | 'discard'

/** It gives nothing, and there is nothing to go on with: its first payment never came, or its trial ended without a card. */
export const isIdle = ({ status }: { status: SubscriptionStatus }): boolean =>
  status === 'incomplete' || status === 'paused'

/**
 * What is to be done next so that an account gets to a plan; null when nothing is. It is asked again after each step,
 * with what the provider says then.
 */
export const nextStep = (
  current: PaidSubscription | null,
  wanted: { plan: string; priceCents: number },
): SubscriptionStep | null => {
  const isFree = wanted.priceCents === 0
  if (!current) return isFree ? null : 'subscribe'
  if (isIdle(current)) return 'discard'
  if (isFree) return current.cancelAtPeriodEnd ? null : 'cancel'
  if (current.plan === wanted.plan) {
    if (current.pendingPlan !== null) return 'keep'
    return current.cancelAtPeriodEnd ? 'resume' : null
  }
  if (wanted.priceCents >= current.priceCents) return 'upgrade'
  return current.pendingPlan === wanted.plan && !current.cancelAtPeriodEnd ? null : 'downgrade'
}
