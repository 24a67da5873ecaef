import type { Subscription } from '@stoa/mail-model/plans.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { Spinner } from '@stoa/ui/feedback/spinner.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { LinkButton } from '@stoa/ui/navigation/link.tsx'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, Clock } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { hasName } from '../api.ts'
import { methodName } from './method-name.ts'
import { checkOutPlan, entitlementQuery, makeDefault, plansQuery, recordMethod, refreshBilling } from './queries.ts'

/** Where the provider's page leads back to after everything was typed there. */
export const ReturnScreen = () => {
  const url = useUrlState()
  const [plan, checkout] = [url.get('plan'), url.get('checkout')]
  return (
    <>
      <title>Checkout · Stoa Mail</title>
      {plan === '' ? <MethodReturn checkoutId={checkout} /> : <PlanReturn planId={plan} />}
    </>
  )
}

const LOOK_MS = 1_500
/** Longer than a confirmation usually takes. */
const PATIENCE_MS = 20_000

/** Payments are confirmed by the provider's server, a moment after the browser is back. */
const PlanReturn = ({ planId }: { planId: string }) => {
  const queryClient = useQueryClient()
  const isLate = useLater(PATIENCE_MS)
  const { data: plans } = useQuery(plansQuery)
  const { data, error, refetch } = useQuery({
    ...entitlementQuery,
    staleTime: 0,
    refetchInterval: ({ state }) => (hasArrived(state.data?.subscription ?? null, planId) ? false : LOOK_MS),
  })
  const isDone = hasArrived(data?.subscription ?? null, planId)
  const name = plans?.data.find(({ id }) => id === planId)?.name ?? 'your plan'
  useEffect(() => {
    if (isDone) void refreshBilling(queryClient)
  }, [isDone, queryClient])
  if (isDone) return <PlanStarted name={name} isTrial={data?.subscription?.status === 'trialing'} />
  if (isLate || error) return <PlanLate name={name} planId={planId} onChecked={() => refetch()} />
  return (
    <Outcome icon={<Spinner />} title="Confirming your payment">
      This usually takes a few seconds.
    </Outcome>
  )
}

const PlanStarted = ({ name, isTrial }: { name: string; isTrial: boolean }) => (
  <Outcome
    icon={<CircleCheck className="text-live-mark" />}
    title={isTrial ? `Your ${name} trial has started` : `You're on ${name}`}
    action={
      <>
        <LinkButton to="/billing">View plan and usage</LinkButton>
        <LinkButton to="/" variant="primary">
          Go to overview
        </LinkButton>
      </>
    }
  >
    {isTrial
      ? 'Nothing was charged. Everything in your plan is ready to use.'
      : 'Thank you. Everything in your plan is ready to use, and your invoice is under Plan and usage.'}
  </Outcome>
)

type PlanLateProps = { name: string; planId: string; onChecked: () => Promise<unknown> }

/**
 * The confirmation may be lost on its way. Asking for the checkout again has the provider read: it is refused when the
 * plan is paid for, and gives the page that is still open when it is not.
 */
const PlanLate = ({ name, planId, onChecked }: PlanLateProps) => {
  const check = useMutation({
    mutationFn: async () => {
      try {
        return (await checkOutPlan(planId)).url
      } catch (error) {
        if (!hasName(error, 'conflict')) throw error
        await onChecked()
        return null
      }
    },
    onError: (error) => toast({ tone: 'danger', title: 'Not checked', description: messageOf(error) }),
  })
  if (check.data)
    return (
      <Outcome
        icon={<CircleAlert className="text-draft-mark" />}
        title="Your checkout isn't finished"
        action={
          <>
            <LinkButton to="/billing">View plan and usage</LinkButton>
            <Button variant="primary" onClick={() => location.assign(check.data ?? '')}>
              Continue to checkout
            </Button>
          </>
        }
      >
        Nothing was charged yet. Finish the payment to start {name}.
      </Outcome>
    )
  return (
    <Outcome
      icon={<Clock />}
      title="Your payment is still being confirmed"
      action={
        <>
          <LinkButton to="/billing">View plan and usage</LinkButton>
          <Button variant="primary" loading={check.isPending} onClick={() => check.mutate()}>
            Check again
          </Button>
        </>
      }
    >
      You don't need to pay again. {name} starts automatically as soon as the confirmation arrives, and you can close
      this page. If nothing has changed in an hour, contact the owner of this service.
    </Outcome>
  )
}

const hasArrived = (subscription: Subscription | null, planId: string): boolean =>
  subscription?.plan_id === planId && (subscription.status === 'active' || subscription.status === 'trialing')

/** The new method is recorded here, so that it can be seen at once. */
const MethodReturn = ({ checkoutId }: { checkoutId: string }) => {
  const queryClient = useQueryClient()
  const method = useQuery({
    queryKey: ['billing', 'recorded-method', checkoutId],
    queryFn: () => recordMethod(checkoutId),
    enabled: checkoutId !== '',
    staleTime: Number.POSITIVE_INFINITY,
  })
  const choose = useMutation({
    mutationFn: makeDefault,
    onSuccess: (chosen) => {
      queryClient.setQueryData(['billing', 'recorded-method', checkoutId], chosen)
      void queryClient.invalidateQueries({ queryKey: ['billing', 'payment-methods'] })
      toast({ tone: 'success', title: 'Default payment method changed' })
    },
    onError: (error) => toast({ tone: 'danger', title: "Couldn't change the default", description: messageOf(error) }),
  })
  const isRecorded = method.data !== undefined
  useEffect(() => {
    if (isRecorded) void queryClient.invalidateQueries({ queryKey: ['billing', 'payment-methods'] })
  }, [isRecorded, queryClient])
  const back = <LinkButton to="/billing">View plan and usage</LinkButton>
  if (method.data)
    return (
      <Outcome
        icon={<CircleCheck className="text-live-mark" />}
        title={`${methodName(method.data)} added`}
        action={
          method.data.is_default ? (
            back
          ) : (
            <>
              {back}
              <Button
                variant="primary"
                loading={choose.isPending}
                onClick={() => method.data && choose.mutate(method.data.id)}
              >
                Make default
              </Button>
            </>
          )
        }
      >
        {method.data.is_default
          ? 'It will be used for your invoices from now on.'
          : 'Make it the default to pay your next invoices with it.'}
      </Outcome>
    )
  if (method.error || checkoutId === '')
    return (
      <Outcome
        icon={<CircleAlert className="text-failed-mark" />}
        title="Couldn't add the payment method"
        action={
          <>
            {back}
            {checkoutId === '' ? null : (
              <Button variant="primary" loading={method.isFetching} onClick={() => void method.refetch()}>
                Try again
              </Button>
            )}
          </>
        }
      >
        {method.error ? messageOf(method.error) : 'Open Plan and usage and add it again.'}
      </Outcome>
    )
  return (
    <Outcome icon={<Spinner />} title="Adding your payment method">
      This usually takes a few seconds.
    </Outcome>
  )
}

type OutcomeProps = { icon: ReactNode; title: string; action?: ReactNode; children: ReactNode }

/** Each state is read out when it takes the place of the one before. */
const Outcome = ({ icon, title, action, children }: OutcomeProps) => (
  <div role="status">
    <EmptyState isScreen icon={icon} title={title} action={action} className="py-24">
      {children}
    </EmptyState>
  </div>
)

const useLater = (ms: number): boolean => {
  const [isLater, setLater] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return isLater
}
