import type { Entitlement, Plan } from '@stoa/mail-model/plans.ts'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { QueryBoundary } from '@stoa/ui/feedback/query-boundary.tsx'
import { ScreenSkeleton } from '@stoa/ui/feedback/screen-skeleton.tsx'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { useQuery } from '@tanstack/react-query'
import { CurrentPlanPanel } from './current-plan-panel.tsx'
import { MethodsPanel } from './methods-panel.tsx'
import { entitlementQuery, plansQuery, providerQuery } from './queries.ts'
import { TaxPanel } from './tax-panel.tsx'
import { TransactionsPanel } from './transactions-panel.tsx'
import { UsagePanel } from './usage-panel.tsx'

/** The plan of the account, what it uses of it, and how it is paid for. */
export const BillingScreen = () => {
  const entitlement = useQuery(entitlementQuery)
  const plans = useQuery(plansQuery)
  const { data: provider } = useQuery(providerQuery)
  const isSold = plans.data?.data.some(({ price_cents: price }) => price > 0) ?? false
  const url = useUrlState()
  return (
    <>
      <title>Plan and usage · Stoa Mail</title>
      <PageHeader
        title="Plan and usage"
        description={isSold ? 'Your plan, what you use of it, and your invoices.' : 'What your account uses.'}
      />
      <QueryBoundary
        query={{
          data: plans.data && entitlement.data,
          error: entitlement.error ?? plans.error,
          refetch: () => Promise.all([entitlement.refetch(), plans.refetch()]),
        }}
        name="Your plan"
        skeleton={<ScreenSkeleton label="Loading your plan" headless tiles={0} />}
      >
        {(held) => (
          <div className="flex flex-col gap-6">
            {url.get('cancelled') === '' ? null : <Notice>No payment method was added.</Notice>}
            {isSold ? <CurrentPlanPanel entitlement={held} plans={plans.data?.data ?? []} provider={provider} /> : null}
            <UsagePanel entitlement={held} isSold={isSold} />
            {plans.data && canBuy(held, plans.data.data) ? (
              <>
                {provider?.configured ? <MethodsPanel entitlement={held} /> : null}
                <TransactionsPanel />
                <TaxPanel />
              </>
            ) : null}
          </div>
        )}
      </QueryBoundary>
    </>
  )
}

/** The operator is on a plan that nobody can buy, and pays nothing. */
const canBuy = ({ plan }: Entitlement, plans: readonly Plan[]): boolean =>
  plans.length > 1 && plans.some(({ id }) => id === plan.id)
