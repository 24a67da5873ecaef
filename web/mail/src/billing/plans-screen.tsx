import type { Entitlement, Plan } from '@stoa/mail-model/plans.ts'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { QueryBoundary } from '@stoa/ui/feedback/query-boundary.tsx'
import { ScreenSkeleton } from '@stoa/ui/feedback/screen-skeleton.tsx'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ChangeDialog } from './change-dialog.tsx'
import { PlanCard } from './plan-card.tsx'
import { PlanComparison } from './plan-comparison.tsx'
import { entitlementQuery, plansQuery, providerQuery, useSellsPlans } from './queries.ts'
import { changeTo } from './standing.ts'

/** All plans side by side, and the way from one to the other. Where there is only one, its usage is all there is to see. */
export const PlansScreen = () => {
  const entitlement = useQuery(entitlementQuery)
  const plans = useQuery(plansQuery)
  const url = useUrlState()
  if (useSellsPlans() === false) return <Navigate to="/billing" replace />
  return (
    <>
      <title>Plans · Stoa Mail</title>
      <PageHeader
        title="Plans"
        crumbs={[{ label: 'Plan and usage', to: '/billing' }]}
        description="Upgrades start right away. Downgrades and cancellations take effect at the end of the period you've paid for."
      />
      <QueryBoundary
        query={{
          data: entitlement.data && plans.data,
          error: entitlement.error ?? plans.error,
          refetch: () => Promise.all([entitlement.refetch(), plans.refetch()]),
        }}
        name="The plans"
        skeleton={<ScreenSkeleton label="Loading the plans" headless tiles={4} />}
      >
        {({ data }) => (
          <div className="flex flex-col gap-6">
            {url.get('cancelled') === '' ? null : (
              <Notice title="Checkout canceled">Nothing was charged, and your plan hasn't changed.</Notice>
            )}
            {entitlement.data ? <Plans plans={data} entitlement={entitlement.data} /> : null}
          </div>
        )}
      </QueryBoundary>
    </>
  )
}

const Plans = ({ plans, entitlement }: { plans: readonly Plan[]; entitlement: Entitlement }) => {
  const { data: provider } = useQuery(providerQuery)
  const [wanted, setWanted] = useState<Plan>()
  // The operator is on a plan that nobody can buy
  const isCustomer = plans.some(({ id }) => id === entitlement.plan.id)
  return (
    <>
      {isCustomer ? null : (
        <Notice>This is what your customers see. You run this instance, so your own account has no limits.</Notice>
      )}
      {provider?.configured === false ? (
        <Notice tone="warning">
          Paid plans aren't available yet: this instance has no payment provider. Ask its owner.
        </Notice>
      ) : null}
      <ul className="grid grid-cols-[repeat(auto-fit,minmax(13rem,1fr))] gap-4">
        {plans.map((plan) => (
          <PlanCard
            key={plan.id}
            plan={plan}
            change={isCustomer ? changeTo(plan, entitlement, plans) : undefined}
            subscription={entitlement.subscription}
            canPay={provider?.configured ?? false}
            onChoose={() => setWanted(plan)}
          />
        ))}
      </ul>
      <PlanComparison plans={plans} currentId={entitlement.plan.id} />
      {wanted ? (
        <ChangeDialog plan={wanted} entitlement={entitlement} plans={plans} onClose={() => setWanted(undefined)} />
      ) : null}
    </>
  )
}
