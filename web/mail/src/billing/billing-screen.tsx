import type { Entitlement } from '@stoa/mail-model/plans.ts'
import { Badge } from '@stoa/ui/badge.tsx'
import { Loaded } from '@stoa/ui/loaded.tsx'
import { Meter } from '@stoa/ui/meter.tsx'
import { Notice } from '@stoa/ui/notice.tsx'
import { PageHeader } from '@stoa/ui/page-header.tsx'
import { Panel } from '@stoa/ui/panel.tsx'
import { RelativeTime } from '@stoa/ui/relative-time.tsx'
import { ScreenSkeleton } from '@stoa/ui/screen-skeleton.tsx'
import { useUrlState } from '@stoa/ui/url-state.ts'
import { useQuery } from '@tanstack/react-query'
import { limitsOf } from './limits.ts'
import { MethodsPanel } from './methods-panel.tsx'
import { PlansPanel } from './plans-panel.tsx'
import { entitlementQuery, providerQuery } from './queries.ts'
import { TaxPanel } from './tax-panel.tsx'
import { TransactionsPanel } from './transactions-panel.tsx'

/** What the account may do, what it uses, and how it is paid for. */
export const BillingScreen = () => {
  const query = useQuery(entitlementQuery)
  const { data: provider } = useQuery(providerQuery)
  const isPaid = useUrlState().get('paid') !== ''
  return (
    <>
      <title>Plan and usage · Stoa Mail</title>
      <PageHeader title="Plan and usage" description="What your account may do, and what it uses." />
      <Loaded query={query} name="Your plan" skeleton={<ScreenSkeleton label="Loading your plan" headless tiles={0} />}>
        {(entitlement) => (
          <div className="flex flex-col gap-6">
            {isPaid ? (
              <Notice tone="success">Thank you. The payment shows up below as soon as it is confirmed.</Notice>
            ) : null}
            <UsagePanel entitlement={entitlement} />
            <PlansPanel entitlement={entitlement} provider={provider} />
            {provider?.configured ? <MethodsPanel /> : null}
            <TransactionsPanel />
            <TaxPanel />
          </div>
        )}
      </Loaded>
    </>
  )
}

const UsagePanel = ({ entitlement }: { entitlement: Entitlement }) => (
  <Panel
    title="Usage"
    description={
      <>
        This period ends <RelativeTime at={entitlement.period_end} />.
      </>
    }
    actions={<Badge tone="accent">{entitlement.plan.name}</Badge>}
  >
    <ul className="grid gap-x-8 gap-y-4 desk:grid-cols-2">
      {limitsOf(entitlement).map(({ label, used, max, text }) => (
        <li key={label} className="flex min-w-0 flex-col gap-1.5">
          <div className="flex items-baseline justify-between gap-3 text-sm">
            <span className="text-muted">{label}</span>
            <span className="text-ink tabular-nums">{text}</span>
          </div>
          {max === null ? null : <Meter label={label} value={used} max={max} text={text} />}
        </li>
      ))}
    </ul>
  </Panel>
)
