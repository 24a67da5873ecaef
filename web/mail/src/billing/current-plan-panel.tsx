import type { Entitlement, Plan, Subscription } from '@stoa/mail-model/plans.ts'
import { Badge, type Tone } from '@stoa/ui/badge.tsx'
import { Button } from '@stoa/ui/button.tsx'
import { formatDate } from '@stoa/ui/format.ts'
import { LinkButton } from '@stoa/ui/link.tsx'
import { Panel } from '@stoa/ui/panel.tsx'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CancelDialog } from './cancel-dialog.tsx'
import { methodName } from './method-name.ts'
import { formatPrice } from './money.ts'
import { PlanEndNotice } from './plan-end-notice.tsx'
import { type BillingProvider, paymentMethodsQuery } from './queries.ts'
import { runningOf, subscribedPlan } from './standing.ts'

type CurrentPlanProps = { entitlement: Entitlement; plans: readonly Plan[]; provider: BillingProvider | undefined }

/** The plan, what it costs, when the next payment is, and what will change. */
export const CurrentPlanPanel = ({ entitlement, plans, provider }: CurrentPlanProps) => {
  const [cancelling, setCancelling] = useState(false)
  const running = runningOf(entitlement)
  const plan = subscribedPlan(entitlement, plans)
  const isPaid = running !== null && plan.price_cents > 0
  const isForSale = plans.some(({ id }) => id === plan.id)
  return (
    <Panel title="Current plan">
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
          <div className="flex min-w-0 flex-1 basis-72 flex-col gap-1">
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="font-semibold text-ink text-lg">{plan.name}</span>
              {isForSale ? (
                <span className="text-muted tabular-nums">
                  {formatPrice(plan.price_cents, plan.currency)} a {plan.interval}
                </span>
              ) : null}
              {running && isPaid ? <StandingBadge subscription={running} /> : null}
            </p>
            <p className="text-muted text-sm">
              {isPaid ? <NextPayment subscription={running} /> : wordsFor({ entitlement, isForSale, provider })}
            </p>
          </div>
          <div className="flex flex-wrap items-center gap-2">
            {isPaid && !running.cancel_at_period_end ? (
              <Button onClick={() => setCancelling(true)}>Cancel plan</Button>
            ) : null}
            <LinkButton to="/billing/plans" variant={isForSale ? 'primary' : 'secondary'}>
              {isPaid ? 'Change plan' : 'Compare plans'}
            </LinkButton>
          </div>
        </div>
        {isPaid ? <PlanEndNotice subscription={running} plan={plan} plans={plans} /> : null}
      </div>
      {isPaid ? (
        <CancelDialog
          open={cancelling}
          onOpenChange={setCancelling}
          plan={plan}
          subscription={running}
          plans={plans}
          entitlement={entitlement}
        />
      ) : null}
    </Panel>
  )
}

type UnpaidFacts = { entitlement: Entitlement; isForSale: boolean; provider: BillingProvider | undefined }

const wordsFor = ({ entitlement: { plan, subscription }, isForSale, provider }: UnpaidFacts): string => {
  if (!isForSale) return 'You run this instance, so your account has no limits. Your customers choose from the plans.'
  if (provider?.configured === false) return "Paid plans aren't available yet: this instance has no payment provider."
  if (subscription?.status === 'incomplete') return "Your payment wasn't completed. Choose the plan again to finish it."
  if (subscription?.status === 'cancelled') return 'Your subscription ended because an invoice is unpaid.'
  return `Upgrade when you need more than ${plan.name} includes. You can change or cancel at any time.`
}

const badges: Record<Subscription['status'], { tone: Tone; label: string }> = {
  active: { tone: 'live', label: 'Active' },
  trialing: { tone: 'accent', label: 'Trial' },
  past_due: { tone: 'failed', label: 'Payment due' },
  unpaid: { tone: 'failed', label: 'Unpaid' },
  paused: { tone: 'neutral', label: 'Paused' },
  incomplete: { tone: 'draft', label: 'Payment incomplete' },
  cancelled: { tone: 'neutral', label: 'Cancelled' },
}

/** The state of a subscription in a word. */
export const StandingBadge = ({
  subscription: { status, cancel_at_period_end: ends },
}: {
  subscription: Pick<Subscription, 'status' | 'cancel_at_period_end'>
}) => {
  const { tone, label } = badges[status]
  const isEnding = ends && (status === 'active' || status === 'trialing')
  return <Badge tone={isEnding ? 'draft' : tone}>{isEnding ? 'Ends soon' : label}</Badge>
}

const NextPayment = ({ subscription }: { subscription: Subscription }) => {
  const { data: methods } = useQuery(paymentMethodsQuery)
  const method = methods?.data.find(({ is_default: isDefault }) => isDefault)
  const end = formatDate(new Date(subscription.current_period_end), new Date())
  if (subscription.past_due_at)
    return `Payment is due since ${formatDate(new Date(subscription.past_due_at), new Date())}.`
  if (subscription.cancel_at_period_end) return `No further payments. Your plan runs until ${end}.`
  const paidWith = method ? `, paid with ${methodName(method)}` : ''
  if (subscription.status === 'trialing' && subscription.trial_end)
    return `Your trial ends on ${formatDate(new Date(subscription.trial_end), new Date())}. The first payment is due then${paidWith}.`
  if (subscription.status === 'paused')
    return 'Your plan is paused, and the limits of the free plan apply. Add a payment method to resume it.'
  return `Renews on ${end}${paidWith}.`
}
