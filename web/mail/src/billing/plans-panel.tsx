import type { Entitlement, Plan } from '@stoa/mail-model/plans.ts'
import { Badge } from '@stoa/ui/badge.tsx'
import { Button } from '@stoa/ui/button.tsx'
import { ConfirmDialog } from '@stoa/ui/confirm-dialog.tsx'
import { cx } from '@stoa/ui/cx.ts'
import { formatAbsolute } from '@stoa/ui/format.ts'
import { Loaded } from '@stoa/ui/loaded.tsx'
import { Notice } from '@stoa/ui/notice.tsx'
import { Panel } from '@stoa/ui/panel.tsx'
import { toast } from '@stoa/ui/toast-store.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { pointsOf } from './limits.ts'
import { formatMoney } from './money.ts'
import { type BillingProvider, cancelSubscription, checkOutPlan, plansQuery, subscribe } from './queries.ts'

type PlansProps = { entitlement: Entitlement; provider: BillingProvider | undefined }

/** The plans to choose from, with the one that holds. */
export const PlansPanel = ({ entitlement, provider }: PlansProps) => {
  const query = useQuery(plansQuery)
  const [wanted, setWanted] = useState<Plan>()
  const [ending, setEnding] = useState(false)
  const { subscription } = entitlement
  const isRunning = subscription !== null && subscription.status !== 'cancelled' && !subscription.cancel_at_period_end
  return (
    <Panel
      title="Plans"
      actions={
        isRunning ? (
          <Button variant="danger-quiet" onClick={() => setEnding(true)}>
            Cancel the plan
          </Button>
        ) : undefined
      }
    >
      <div className="flex flex-col gap-4">
        {subscription?.cancel_at_period_end ? (
          <Notice tone="warning">
            The plan ends on {formatAbsolute(new Date(subscription.current_period_end))}. Choose it again to keep it.
          </Notice>
        ) : null}
        {subscription?.status === 'past_due' || subscription?.status === 'unpaid' ? (
          <Notice tone="danger">
            The last payment failed. Check your payment method, or the plan falls back to the free one.
          </Notice>
        ) : null}
        <Loaded query={query} name="The plans" lines={3}>
          {(plans) => (
            <ul className="grid gap-4 desk:grid-cols-[repeat(auto-fill,minmax(15rem,1fr))]">
              {plans.data.map((plan) => (
                <PlanCard
                  key={plan.id}
                  plan={plan}
                  isCurrent={plan.slug === entitlement.plan.slug}
                  canChoose={plan.price_cents === 0 || provider?.configured === true}
                  onChoose={() => setWanted(plan)}
                />
              ))}
            </ul>
          )}
        </Loaded>
      </div>
      {wanted ? <ChooseDialog plan={wanted} onClose={() => setWanted(undefined)} /> : null}
      <EndDialog open={ending} onOpenChange={setEnding} entitlement={entitlement} />
    </Panel>
  )
}

type PlanCardProps = { plan: Plan; isCurrent: boolean; canChoose: boolean; onChoose: () => void }

const PlanCard = ({ plan, isCurrent, canChoose, onChoose }: PlanCardProps) => (
  <li
    className={cx('flex flex-col gap-3 rounded-lg border px-4 py-4', isCurrent ? 'border-accent' : 'border-line')}
    aria-current={isCurrent ? 'true' : undefined}
  >
    <div className="flex items-center justify-between gap-2">
      <h3 className="font-semibold text-ink text-md">{plan.name}</h3>
      {isCurrent ? <Badge tone="accent">Your plan</Badge> : null}
    </div>
    <p className="text-ink">
      <span className="font-semibold text-lg tabular-nums">
        {plan.price_cents === 0 ? 'Free' : formatMoney(plan.price_cents, plan.currency)}
      </span>
      {plan.price_cents === 0 ? null : <span className="text-faint text-sm"> a {plan.interval}</span>}
    </p>
    <p className="text-muted text-sm">{plan.description}</p>
    <ul className="flex flex-1 flex-col gap-1 text-sm">
      {pointsOf(plan).map((point) => (
        <li key={point} className="flex items-start gap-2">
          <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-live-mark" />
          {point}
        </li>
      ))}
    </ul>
    {isCurrent ? null : canChoose ? (
      <Button onClick={onChoose}>Choose {plan.name}</Button>
    ) : (
      <p className="text-faint text-xs">Payments are not set up on this instance. Ask whoever runs it.</p>
    )}
  </li>
)

const ChooseDialog = ({ plan, onClose }: { plan: Plan; onClose: () => void }) => {
  const queryClient = useQueryClient()
  const isFree = plan.price_cents === 0
  const choose = async () => {
    if (isFree) {
      await subscribe(plan.id)
      await queryClient.invalidateQueries({ queryKey: ['billing'] })
      toast({ tone: 'success', title: `You are on ${plan.name}` })
    } else location.assign((await checkOutPlan(plan.id)).url)
  }
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Change to ${plan.name}?`}
      consequence={
        isFree
          ? 'Its limits hold at once. What you have above them stays and can be read, but nothing can be added.'
          : `You go to the payment page: ${formatMoney(plan.price_cents, plan.currency)} a ${plan.interval}. Its limits hold when it is paid.`
      }
      confirmLabel={isFree ? `Change to ${plan.name}` : 'To the payment'}
      tone="primary"
      onConfirm={choose}
    />
  )
}

type EndProps = { open: boolean; onOpenChange: (open: boolean) => void; entitlement: Entitlement }

const EndDialog = ({ open, onOpenChange, entitlement: { plan, period_end: end } }: EndProps) => {
  const queryClient = useQueryClient()
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Cancel ${plan.name}?`}
      consequence={`It goes on until ${formatAbsolute(new Date(end))}; then the limits of the free plan hold. Mail stays readable.`}
      confirmLabel="Cancel the plan"
      onConfirm={async () => {
        await cancelSubscription()
        await queryClient.invalidateQueries({ queryKey: ['billing'] })
      }}
    />
  )
}
