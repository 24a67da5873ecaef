import type { Entitlement, Plan, Subscription } from '@stoa/mail-model/plans.ts'
import { formatDate } from '@stoa/ui/text/format.ts'
import { methodName } from './method-name.ts'
import type { BillingProvider, PaymentMethod } from './queries.ts'

/** When a subscription that goes on is paid next, and with what. */
export const nextPaymentWords = (
  subscription: Subscription,
  method: Pick<PaymentMethod, 'type' | 'brand' | 'last4'> | undefined,
  now: Date,
): string => {
  const on = (moment: string): string => formatDate(new Date(moment), now)
  const { status, past_due_at: pastDue, trial_end: trialEnd, current_period_end: end } = subscription
  if (pastDue) return `Payment has been due since ${on(pastDue)}.`
  if (subscription.cancel_at_period_end)
    return status === 'trialing'
      ? `You won't be charged. Your trial runs until ${on(end)}.`
      : `No further payments. Your plan runs until ${on(end)}.`
  const paidWith = method ? `, paid with ${methodName(method)}` : ''
  if (status === 'trialing' && trialEnd)
    return `Your trial ends on ${on(trialEnd)}. The first payment is due then${paidWith}.`
  return `Renews on ${on(end)}${paidWith}.`
}

type FreeFacts = { entitlement: Entitlement; plans: readonly Plan[]; provider: BillingProvider | undefined }

/** Why nothing is paid for, and how to change that. */
export const unsubscribedWords = ({ entitlement: { plan, subscription }, plans, provider }: FreeFacts): string => {
  if (!plans.some(({ id }) => id === plan.id))
    return 'You run this instance, so your account has no limits. Your customers choose from the plans.'
  if (provider?.configured === false) return "Paid plans aren't available yet: this instance has no payment provider."
  const chosen = plans.find(({ id }) => id === subscription?.plan_id)?.name ?? 'your plan'
  if (subscription?.status === 'incomplete') return "Your payment wasn't completed. Choose the plan again to finish it."
  if (subscription?.status === 'paused')
    return `Your trial of ${chosen} ended without a payment method, so ${chosen} is paused. Choose it again to continue.`
  if (subscription?.status === 'cancelled') return 'Your subscription ended because an invoice is unpaid.'
  return `Upgrade when you need more than ${plan.name} includes. You can change or cancel at any time.`
}
