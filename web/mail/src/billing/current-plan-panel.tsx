import type { Entitlement, Plan, Subscription } from '@stoa/mail-model/plans.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Badge, type Tone } from '@stoa/ui/display/badge.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { LinkButton } from '@stoa/ui/navigation/link.tsx'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CancelDialog } from './cancel-dialog.tsx'
import { formatPrice } from './money.ts'
import { PlanEndNotice } from './plan-end-notice.tsx'
import { type BillingProvider, paymentMethodsQuery } from './queries.ts'
import { runningOf, subscribedPlan } from './standing.ts'
import { nextPaymentWords, unsubscribedWords } from './standing-words.ts'

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
              {isPaid ? <NextPayment subscription={running} /> : unsubscribedWords({ entitlement, plans, provider })}
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

const badges: Record<Subscription['status'], { tone: Tone; label: string }> = {
  active: { tone: 'live', label: 'Active' },
  trialing: { tone: 'accent', label: 'Trial' },
  past_due: { tone: 'failed', label: 'Payment due' },
  unpaid: { tone: 'failed', label: 'Unpaid' },
  paused: { tone: 'neutral', label: 'Paused' },
  incomplete: { tone: 'draft', label: 'Payment incomplete' },
  cancelled: { tone: 'neutral', label: 'Canceled' },
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
  return nextPaymentWords(subscription, method, new Date())
}
