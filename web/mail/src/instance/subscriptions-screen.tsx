import type { instanceSubscription } from '@stoa/mail-model/billing.ts'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { Skeleton } from '@stoa/ui/feedback/skeleton.tsx'
import { readPage, useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { type Column, DataTable } from '@stoa/ui/table/data-table.tsx'
import { listState } from '@stoa/ui/table/list-state.ts'
import { UrlSearch } from '@stoa/ui/table/url-search.tsx'
import { formatDate, formatNumber } from '@stoa/ui/text/format.ts'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import type { z } from 'zod'
import { StandingBadge } from '../billing/current-plan-panel.tsx'
import { formatAmount, formatPrice } from '../billing/money.ts'
import { plansQuery } from '../billing/queries.ts'
import { pagerOf, sortOf } from '../list-url.ts'
import { meQuery } from '../queries.ts'
import { NotYours } from './not-yours.tsx'
import { type SubscriptionList, subscriptionsQuery } from './queries.ts'

type InstanceSubscription = z.infer<typeof instanceSubscription>

/** All subscriptions on this instance. */
export const SubscriptionsScreen = () => {
  const { data: me } = useSuspenseQuery(meQuery)
  return me.role === 'owner' ? <OwnersSubscriptions /> : <NotYours screen="Subscriptions" />
}

const columnsFor = (
  planName: (id: string) => string,
): readonly [Column<InstanceSubscription>, ...Column<InstanceSubscription>[]] => [
  { id: 'email', header: 'Customer', sortable: true, cell: ({ email }) => <span className="break-all">{email}</span> },
  {
    id: 'plan',
    header: 'Plan',
    cell: ({ plan_id: plan, pending_plan_id: next }) =>
      next === null ? planName(plan) : `${planName(plan)}, then ${planName(next)}`,
  },
  { id: 'status', header: 'Status', sortable: true, cell: (row) => <StandingBadge subscription={row} /> },
  {
    id: 'price',
    header: 'Price',
    align: 'end',
    cell: ({ price_cents: price, currency }) => formatPrice(price, currency),
  },
  { id: 'next', header: 'Next', cell: (row) => nextWords(row) },
  { id: 'created_at', header: 'Customer since', sortable: true, cell: (row) => <RelativeTime at={row.created_at} /> },
]

const nextWords = (row: InstanceSubscription): string => {
  const on = (at: string) => formatDate(new Date(at), new Date())
  if (row.status === 'cancelled') return row.ended_at ? `Ended ${on(row.ended_at)}` : 'Ended'
  if (row.status === 'paused') return 'Paused without a payment method'
  if (row.status === 'incomplete') return 'First payment pending'
  if (row.past_due_at) return `Unpaid since ${on(row.past_due_at)}`
  if (row.cancel_at_period_end) return `Ends ${on(row.current_period_end)}`
  if (row.status === 'trialing' && row.trial_end) return `Trial until ${on(row.trial_end)}`
  return `Renews ${on(row.current_period_end)}`
}

const OwnersSubscriptions = () => {
  const url = useUrlState()
  const sort = sortOf(url, { by: 'created_at', direction: 'desc' })
  const search = url.get('q')
  const query = useQuery(
    subscriptionsQuery({ search, sort: sort.by, direction: sort.direction }, readPage(url.get('page'))),
  )
  const { data: plans } = useQuery(plansQuery)
  const planName = (id: string) => plans?.data.find((plan) => plan.id === id)?.name ?? '–'
  return (
    <>
      <title>Subscriptions · Stoa Mail</title>
      <PageHeader
        title="Subscriptions"
        crumbs={[{ label: 'Instance', to: '/instance' }]}
        description="Accounts with a plan, and total revenue."
      />
      <div className="flex flex-col gap-6">
        <Totals totals={query.data?.totals} />
        <DataTable
          label="Subscriptions"
          columns={columnsFor(planName)}
          state={listState({ data: query.data?.data, error: query.error, refetch: query.refetch }, messageOf)}
          rowKey={({ id }) => id}
          rowName={({ email }) => email}
          sort={sort}
          onSort={({ by, direction }) => url.set({ sort: by, direction, page: '' })}
          toolbar={<UrlSearch label="Search customers" value={search} onSearch={(q) => url.set({ q, page: '' })} />}
          onClearFilters={search === '' ? undefined : () => url.set({ q: '', page: '' })}
          empty={
            <EmptyState icon={<Users />} title="No subscriptions yet">
              Accounts that choose a plan appear here.
            </EmptyState>
          }
          {...(query.data ? { pager: pagerOf(query.data, url) } : {})}
        />
      </div>
    </>
  )
}

const Totals = ({ totals }: { totals: SubscriptionList['totals'] | undefined }) => {
  if (!totals) return <Skeleton className="h-20 rounded-xl" />
  const tiles = [
    { label: 'Monthly revenue', value: formatAmount(totals.monthly_cents, totals.currency) },
    { label: 'Active subscriptions', value: formatNumber(totals.active) },
    { label: 'Payment due', value: formatNumber(totals.past_due) },
  ]
  return (
    <dl className="grid grid-cols-2 gap-3 desk:grid-cols-3 phone:[&>:first-child]:col-span-2">
      {tiles.map(({ label, value }) => (
        <div key={label} className="flex flex-col gap-1 rounded-xl border border-line bg-surface px-4 py-3 shadow-sm">
          <dt className="text-muted text-xs">{label}</dt>
          <dd className="font-semibold text-ink text-lg tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
