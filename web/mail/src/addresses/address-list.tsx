import type { Address } from '@stoa/mail-model/addresses.ts'
import type { Domain } from '@stoa/mail-model/domains.ts'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { Select, type SelectOption } from '@stoa/ui/form/select.tsx'
import { LinkButton } from '@stoa/ui/navigation/link.tsx'
import { readPage, useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { type BulkAction, type Column, DataTable, type TableAction } from '@stoa/ui/table/data-table.tsx'
import { listState } from '@stoa/ui/table/list-state.ts'
import type { Selection } from '@stoa/ui/table/selection.ts'
import { UrlSearch } from '@stoa/ui/table/url-search.tsx'
import { formatCount, formatNumber } from '@stoa/ui/text/format.ts'
import { useQuery } from '@tanstack/react-query'
import { AtSign } from 'lucide-react'
import type { ReactNode } from 'react'
import { pagerOf, sortOf } from '../list-url.ts'
import { AddressState } from './address-state.tsx'
import { areFew, pageOfAll } from './all-addresses.ts'
import { addressesQuery, allAddressesQuery } from './queries.ts'
import { QuotaBar } from './quota-field.tsx'

export const columns: readonly [Column<Address>, ...Column<Address>[]] = [
  {
    id: 'email',
    header: 'Address',
    sortable: true,
    cell: (address) => (
      <span className="flex min-w-0 flex-col">
        <span className="truncate">{address.email}</span>
        <span className="flex min-w-0 items-center gap-1.5 truncate font-normal text-faint text-xs empty:hidden">
          {address.name === null ? null : <span className="truncate">{address.name}</span>}
          {address.aliases.length === 0 ? null : (
            <Badge>{formatCount(address.aliases.length, 'alias', 'aliases')}</Badge>
          )}
          {address.forward_to.length === 0 ? null : <Badge>Forwarding</Badge>}
        </span>
      </span>
    ),
  },
  { id: 'state', header: 'Status', cell: (address) => <AddressState address={address} /> },
  {
    id: 'used_bytes',
    header: 'Storage',
    sortable: true,
    cell: (address) => (
      <QuotaBar used={address.used_bytes} quota={address.quota_bytes} label={`Storage of ${address.email}`} />
    ),
  },
  {
    id: 'messages',
    header: 'Messages',
    align: 'end',
    cell: (address) => <span className="tabular-nums">{formatNumber(address.messages_count)}</span>,
  },
  {
    id: 'last_login_at',
    header: 'Last sign-in',
    sortable: true,
    cell: (address) =>
      address.last_login_at === null ? (
        <span className="text-faint">Never</span>
      ) : (
        <RelativeTime at={address.last_login_at} />
      ),
  },
  {
    id: 'created_at',
    header: 'Created',
    sortable: true,
    hideOnPhone: true,
    isSpare: true,
    cell: (address) => <RelativeTime at={address.created_at} />,
  },
]

const PER_PAGE = 25

type AddressListProps = {
  /** Undefined: all of them. */
  domain: Domain | undefined
  domains: readonly Domain[]
  actions: (address: Address) => readonly TableAction<Address>[]
  create: ReactNode
  selection: Selection
  /** Bulk actions for the addresses that are shown. */
  bulk: (shown: readonly Address[]) => readonly BulkAction[]
}

/** The addresses of one domain, with search, order and page in the address of the screen. */
export const AddressList = ({ domain, domains, actions, create, selection, bulk }: AddressListProps) => {
  const url = useUrlState()
  const search = url.get('q')
  const page = readPage(url.get('page'))
  const sort = sortOf(url, { by: 'email', direction: 'asc' })
  const filter = { page, perPage: PER_PAGE, search, sort: sort.by, direction: sort.direction }
  const ofDomain = useQuery({ ...addressesQuery(domain?.id ?? '', filter), enabled: domain !== undefined })
  const ofAll = useQuery({ ...allAddressesQuery, enabled: domain === undefined })
  const query = domain ? ofDomain : ofAll
  const shown = domain ? ofDomain.data : ofAll.data && pageOfAll(ofAll.data.addresses, filter)
  return (
    <>
      {domain?.capabilities.receiving === 'disabled' ? <NotReceiving domain={domain} /> : null}
      <DataTable
        label="Addresses"
        columns={columns}
        state={listState({ data: shown?.data, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={(address) => address.id}
        rowName={(address) => address.email}
        rowTo={(address) => `/addresses/${address.id}`}
        rowActions={actions}
        selection={selection}
        bulkActions={bulk(shown?.data ?? [])}
        sort={sort}
        onSort={({ by, direction }) => url.set({ sort: by, direction, page: '' })}
        toolbar={
          <>
            <UrlSearch label="Search addresses" value={search} onSearch={(q) => url.set({ q, page: '' })} />
            <Select
              aria-label="Domain"
              className="max-w-64 phone:max-w-none"
              value={domain?.id ?? ALL_DOMAINS}
              options={domainOptions(domains)}
              onValue={(id) => url.set({ domain: id, page: '' })}
            />
          </>
        }
        onClearFilters={search === '' ? undefined : () => url.set({ q: '', page: '' })}
        empty={
          <EmptyState
            icon={<AtSign />}
            title={domain ? `No addresses at ${domain.unicode_name} yet` : 'No addresses yet'}
            action={create}
          >
            Create one for a person, or for a purpose like hello or billing.
          </EmptyState>
        }
        {...(shown ? { pager: pagerOf(shown, url) } : {})}
      />
    </>
  )
}

/** The word in the address of the screen for all of them. */
export const ALL_DOMAINS = 'all'

const domainOptions = (domains: readonly Domain[]): readonly SelectOption[] => [
  ...(domains.length > 1 && areFew(domains) ? [{ value: ALL_DOMAINS, label: 'All domains' }] : []),
  ...domains.map(({ id, unicode_name: name, addresses_count: count }) => ({
    value: id,
    label: `${name} (${formatNumber(count)})`,
  })),
]

const NotReceiving = ({ domain }: { domain: Domain }) => (
  <Notice
    tone="warning"
    title={`${domain.unicode_name} can't receive mail yet`}
    action={
      <LinkButton size="sm" to={`/domains/${domain.id}`}>
        Set up DNS
      </LinkButton>
    }
  >
    You can create addresses now. Mail arrives once the domain's DNS records are in place.
  </Notice>
)
