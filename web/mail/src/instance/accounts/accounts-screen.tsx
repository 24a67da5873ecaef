import type { InstanceAccount } from '@stoa/mail-model/instance-accounts.ts'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { readPage, useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { type Column, DataTable } from '@stoa/ui/table/data-table.tsx'
import { listState } from '@stoa/ui/table/list-state.ts'
import { UrlSearch } from '@stoa/ui/table/url-search.tsx'
import { formatNumber } from '@stoa/ui/text/format.ts'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import { formatStorage } from '../../billing/storage.ts'
import { pagerOf, sortOf } from '../../list-url.ts'
import { meQuery } from '../../queries.ts'
import { NotYours } from '../not-yours.tsx'
import { usePlanNames } from './plan-names.ts'
import { accountsQuery } from './queries.ts'

/** Everybody who has an account on this instance. */
export const AccountsScreen = () => {
  const { data: me } = useSuspenseQuery(meQuery)
  return me.role === 'owner' ? <OwnersAccounts /> : <NotYours screen="Accounts" />
}

const columnsFor = (
  planName: (id: string) => string,
): readonly [Column<InstanceAccount>, ...Column<InstanceAccount>[]] => [
  {
    id: 'email',
    header: 'Account',
    sortable: true,
    cell: ({ email }) => <span className="break-all">{email}</span>,
  },
  { id: 'status', header: 'Status', cell: (account) => <AccountStatus account={account} /> },
  { id: 'plan', header: 'Plan', cell: ({ plan_id: plan }) => planName(plan) },
  { id: 'domains', header: 'Domains', align: 'end', isSpare: true, cell: ({ usage }) => formatNumber(usage.domains) },
  { id: 'addresses', header: 'Addresses', align: 'end', cell: ({ usage }) => formatNumber(usage.addresses) },
  {
    id: 'storage_bytes',
    header: 'Storage',
    align: 'end',
    sortable: true,
    cell: ({ usage }) => formatStorage(usage.storage_bytes),
  },
  {
    id: 'last_login_at',
    header: 'Last sign-in',
    cell: ({ last_login_at: at }) => (at === null ? 'Never' : <RelativeTime at={at} />),
  },
  {
    id: 'created_at',
    header: 'Created',
    sortable: true,
    isSpare: true,
    cell: ({ created_at: at }) => <RelativeTime at={at} />,
  },
]

export const AccountStatus = ({ account }: { account: InstanceAccount }) => {
  if (account.suspended_at !== null) return <Badge tone="failed">Suspended</Badge>
  return account.role === 'owner' ? <Badge tone="accent">Owner</Badge> : <Badge tone="live">Active</Badge>
}

const OwnersAccounts = () => {
  const url = useUrlState()
  const sort = sortOf(url, { by: 'created_at', direction: 'desc' })
  const search = url.get('q')
  const query = useQuery(accountsQuery({ search, sort: sort.by, direction: sort.direction }, readPage(url.get('page'))))
  const planName = usePlanNames()
  return (
    <>
      <title>Accounts · Stoa Mail</title>
      <PageHeader title="Accounts" description="Everyone with an account on this instance." />
      <DataTable
        label="Accounts"
        columns={columnsFor(planName)}
        state={listState({ data: query.data?.data, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={({ id }) => id}
        rowName={({ email }) => email}
        rowTo={({ id }) => `/instance/accounts/${id}`}
        sort={sort}
        onSort={({ by, direction }) => url.set({ sort: by, direction, page: '' })}
        toolbar={<UrlSearch label="Search accounts" value={search} onSearch={(q) => url.set({ q, page: '' })} />}
        onClearFilters={search === '' ? undefined : () => url.set({ q: '', page: '' })}
        empty={
          <EmptyState icon={<Users />} title="No accounts yet">
            Accounts appear here when people sign up.
          </EmptyState>
        }
        {...(query.data ? { pager: pagerOf(query.data, url) } : {})}
      />
    </>
  )
}
