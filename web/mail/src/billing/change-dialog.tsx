import type { BillingPreview } from '@stoa/mail-model/billing.ts'
import type { Entitlement, Plan } from '@stoa/mail-model/plans.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { SkeletonText } from '@stoa/ui/feedback/skeleton.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { formatCount, formatDate } from '@stoa/ui/text/format.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { hasName } from '../api.ts'
import { CancelDialog } from './cancel-dialog.tsx'
import { methodName } from './method-name.ts'
import { formatAmount } from './money.ts'
import { OverAfterChange } from './over-after-change.tsx'
import {
  checkOutMethod,
  checkOutPlan,
  type PaymentMethod,
  paymentMethodsQuery,
  previewQuery,
  refreshBilling,
  subscribe,
} from './queries.ts'
import { changeTo, type PlanChange, runningOf, subscribedPlan } from './standing.ts'

type ChangeDialogProps = { plan: Plan; entitlement: Entitlement; plans: readonly Plan[]; onClose: () => void }

/** Asks before the plan changes, with what it costs now and later. */
export const ChangeDialog = (props: ChangeDialogProps) => {
  const { plan, entitlement, plans, onClose } = props
  // Fixed when the dialog opens: the plan changes while it is still there
  const [change] = useState(() => changeTo(plan, entitlement, plans))
  const running = runningOf(entitlement)
  if (change === 'cancel' && running)
    return (
      <CancelDialog
        open
        onOpenChange={onClose}
        plan={subscribedPlan(entitlement, plans)}
        subscription={running}
        plans={plans}
        entitlement={entitlement}
      />
    )
  return <SwitchDialog {...props} change={change} />
}

const SwitchDialog = ({ plan, entitlement, plans, change, onClose }: ChangeDialogProps & { change: PlanChange }) => {
  const queryClient = useQueryClient()
  const preview = useQuery(previewQuery(plan.id))
  const methods = useQuery(paymentMethodsQuery)
  const method = methods.data?.data.find(({ is_default: isDefault }) => isDefault)
  const current = subscribedPlan(entitlement, plans)
  const running = runningOf(entitlement)
  const needsCheckout = change === 'start' && plan.price_cents > 0 && methods.data !== undefined && !method
  const run = useMutation({
    mutationFn: () => subscribe(plan.id),
    onSuccess: async () => {
      await refreshBilling(queryClient)
      onClose()
      toast({ tone: 'success', title: doneWords(change, plan, preview.data) })
    },
  })
  const leave = useMutation({
    mutationFn: () => (change === 'start' ? checkOutPlan(plan.id) : checkOutMethod()),
    onSuccess: ({ url }) => location.assign(url),
  })
  const problem = run.error ?? leave.error
  const isTrial = change === 'start' && plan.trial_days > 0 && preview.data?.due_now_cents === 0
  // The saved card is not enough: declined, expired, or its bank wants a confirmation
  const isRefusedCard = hasName(run.error, 'validation_error')
  const isReady = preview.data !== undefined && methods.data !== undefined
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={titles[change](plan.name)}
      description={
        isTrial ? trialWords(plan) : descriptionOf({ change, plan, current, isInTrial: running?.status === 'trialing' })
      }
      dismissible={!run.isPending}
      footer={
        <>
          <Button disabled={run.isPending} onClick={onClose}>
            {change === 'keep' ? 'Not now' : 'Cancel'}
          </Button>
          {needsCheckout || isRefusedCard ? (
            <Button variant="primary" loading={leave.isPending} disabled={!isReady} onClick={() => leave.mutate()}>
              {change === 'start' ? 'Continue to checkout' : 'Use another card'}
            </Button>
          ) : (
            <Button variant="primary" loading={run.isPending} disabled={!isReady} onClick={() => run.mutate()}>
              {actionOf(change, plan, preview.data)}
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {problem ? <Notice tone="danger">{messageOf(problem).replace(ROUTE_ADVICE, '')}</Notice> : null}
        {preview.error ? (
          <Notice
            tone="danger"
            title="Couldn't calculate the amount"
            action={
              <Button size="sm" onClick={() => void preview.refetch()}>
                Try again
              </Button>
            }
          >
            {messageOf(preview.error)}
          </Notice>
        ) : preview.data ? (
          <Amounts preview={preview.data} plan={plan} method={needsCheckout ? undefined : method} />
        ) : (
          <SkeletonText lines={3} label="Calculating the amount" />
        )}
        {change === 'downgrade' ? <OverAfterChange plan={plan} entitlement={entitlement} /> : null}
      </div>
    </Dialog>
  )
}

/** The service names the route that programs use instead; here it is the button. */
const ROUTE_ADVICE = /(?<=[.!?]) [^.]* through POST [^.]*\.$/

const titles: Record<PlanChange, (name: string) => string> = {
  none: (name) => `You're on ${name}`,
  scheduled: (name) => `You'll move to ${name}`,
  keep: (name) => `Keep ${name}?`,
  start: (name) => `Subscribe to ${name}`,
  upgrade: (name) => `Upgrade to ${name}`,
  downgrade: (name) => `Downgrade to ${name}`,
  cancel: (name) => `Downgrade to ${name}`,
}

const trialWords = ({ name, trial_days: days }: Plan): string =>
  `${name} is free for ${formatCount(days, 'day', 'days')}. You're charged when the trial ends, unless you cancel before then.`

type ChangeFacts = { change: PlanChange; plan: Plan; current: Plan; isInTrial: boolean }

const descriptionOf = ({ change, plan, current, isInTrial }: ChangeFacts): string => {
  if (change === 'upgrade')
    return isInTrial
      ? `${plan.name} starts right away, and your trial continues.`
      : `${plan.name} starts right away. What's left of ${current.name} counts toward the price.`
  if (change === 'downgrade')
    return `You keep ${current.name} until ${isInTrial ? 'your trial ends' : "the end of the period you've paid for"}.`
  if (change === 'keep') return `${plan.name} continues as before.`
  return `${plan.name} starts as soon as your payment is confirmed. Cancel at any time.`
}

const actionOf = (change: PlanChange, plan: Plan, preview: BillingPreview | undefined): string => {
  if (change === 'keep') return `Keep ${plan.name}`
  if (change === 'downgrade') return `Downgrade to ${plan.name}`
  if (preview && preview.due_now_cents > 0) return `Pay ${formatAmount(preview.due_now_cents, preview.currency)}`
  return change === 'upgrade' ? `Upgrade to ${plan.name}` : `Subscribe to ${plan.name}`
}

const doneWords = (change: PlanChange, plan: Plan, preview: BillingPreview | undefined): string => {
  if (change === 'keep') return `You're keeping ${plan.name}`
  if (change === 'downgrade' && preview)
    return `You'll move to ${plan.name} on ${formatDate(new Date(preview.next_at), new Date())}`
  return `You're on ${plan.name}`
}

type AmountsProps = { preview: BillingPreview; plan: Plan; method: PaymentMethod | undefined }

const Amounts = ({ preview, plan, method }: AmountsProps) => (
  <dl className="flex flex-col divide-y divide-line rounded-lg border border-line bg-canvas px-4">
    <Amount label="Due now" isStrong>
      {formatAmount(preview.due_now_cents, preview.currency)}
    </Amount>
    <Amount label={`From ${formatDate(new Date(preview.next_at), new Date())}`}>
      {formatAmount(preview.next_cents, preview.currency)} a {plan.interval}
    </Amount>
    {method ? <Amount label="Paid with">{methodName(method)}</Amount> : null}
  </dl>
)

const Amount = ({ label, isStrong = false, children }: { label: string; isStrong?: boolean; children: ReactNode }) => (
  <div className="flex items-baseline justify-between gap-4 py-2.5">
    <dt className="text-muted">{label}</dt>
    <dd className={isStrong ? 'font-semibold text-ink text-md tabular-nums' : 'text-right text-ink tabular-nums'}>
      {children}
    </dd>
  </div>
)
