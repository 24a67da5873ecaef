import type { Plan, Subscription } from '@stoa/mail-model/plans.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { formatDate } from '@stoa/ui/text/format.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { Check } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { pointsOf } from './limits.ts'
import { formatPrice } from './money.ts'
import type { PlanChange } from './standing.ts'

type PlanCardProps = {
  plan: Plan
  /** The effect of choosing the plan; undefined for somebody who cannot choose. */
  change: PlanChange | undefined
  subscription: Subscription | null
  canPay: boolean
  onChoose: () => void
}

export const PlanCard = ({ plan, change, subscription, canPay, onChoose }: PlanCardProps) => {
  const id = useId()
  const isCurrent = change === 'none' || change === 'keep'
  return (
    <li
      aria-labelledby={id}
      aria-current={isCurrent ? 'true' : undefined}
      className={cx(
        'row-span-4 grid min-w-0 grid-rows-subgrid content-start rounded-xl border bg-surface px-4 py-5 shadow-sm',
        isCurrent ? 'border-accent' : 'border-line',
      )}
    >
      <div className="flex flex-col gap-1">
        <div className="flex items-center justify-between gap-2">
          <h2 id={id} className="font-semibold text-ink text-md">
            {plan.name}
          </h2>
          {isCurrent ? <Badge tone="accent">Your plan</Badge> : null}
        </div>
        <p className="text-muted text-sm">{plan.description}</p>
      </div>
      <p className="flex items-baseline gap-1.5 text-ink">
        <span className="font-semibold text-xl tabular-nums">{formatPrice(plan.price_cents, plan.currency)}</span>
        <span className="text-faint text-sm">a {plan.interval}</span>
      </p>
      <Choice plan={plan} change={change} subscription={subscription} canPay={canPay} onChoose={onChoose} />
      <ul className="flex flex-col gap-1.5 border-line border-t pt-4 text-sm">
        {pointsOf(plan).map((point) => (
          <li key={point} className="flex items-start gap-2">
            <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-live-mark" />
            {point}
          </li>
        ))}
      </ul>
    </li>
  )
}

const labels: Record<Exclude<PlanChange, 'none' | 'scheduled'>, string> = {
  keep: 'Keep',
  start: 'Choose',
  upgrade: 'Upgrade to',
  downgrade: 'Downgrade to',
  cancel: 'Downgrade to',
}

const Choice = ({ plan, change, subscription, canPay, onChoose }: PlanCardProps) => {
  if (change === undefined) return null
  if (change === 'none') return <Quiet>You're on this plan</Quiet>
  if (change === 'scheduled' && subscription && subscription.status !== 'cancelled')
    return <Quiet>Starts on {formatDate(new Date(subscription.current_period_end), new Date())}</Quiet>
  if (change === 'scheduled' || (plan.price_cents > 0 && !canPay)) return <Quiet>Not available</Quiet>
  return (
    <div className="flex flex-col gap-1">
      <Button variant={change === 'upgrade' || change === 'start' ? 'primary' : 'secondary'} onClick={onChoose}>
        {labels[change]} {plan.name}
      </Button>
      {change === 'start' && plan.trial_days > 0 ? (
        <p className="text-center text-faint text-xs">{plan.trial_days}-day free trial for new customers</p>
      ) : null}
    </div>
  )
}

/** The height of a button, so that the lists below line up. */
const Quiet = ({ children }: { children: ReactNode }) => (
  <p className="flex h-8 items-center justify-center rounded-md bg-neutral-soft text-muted text-sm touch:h-11">
    {children}
  </p>
)
