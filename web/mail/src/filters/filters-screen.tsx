import type { Filter } from '@stoa/mail-model/filters.ts'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { Skeleton } from '@stoa/ui/feedback/skeleton.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { LinkButton } from '@stoa/ui/navigation/link.tsx'
import { readPage, useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { listState } from '@stoa/ui/table/list-state.ts'
import { ListError, NothingMatches, Pager } from '@stoa/ui/table/table-parts.tsx'
import { UrlSearch } from '@stoa/ui/table/url-search.tsx'
import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { Filter as FilterIcon, Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { allAddressesQuery } from '../addresses/queries.ts'
import { pagerOf } from '../list-url.ts'
import { DeleteFilter } from './delete-filter.tsx'
import { groupFilters, groupsFor } from './filter-groups.ts'
import { FilterList } from './filter-list.tsx'
import { filtersQuery } from './queries.ts'
import { RunningOrder } from './running-order.tsx'
import { useFilterChange } from './use-filter-change.ts'

/** Everything that looks at arriving mail, in its order. */
export const FiltersScreen = () => {
  const url = useUrlState()
  const search = url.get('q')
  const page = readPage(url.get('page'))
  const query = useQuery(filtersQuery({ page, search }))
  const filters = query.data?.data ?? NONE
  const [deleting, setDeleting] = useState<Filter>()
  const emails = useEmails(filters)
  if (url.get('new') !== '') return <Navigate to="/filters/$filterId" params={{ filterId: 'new' }} replace />
  const create = (
    <LinkButton to="/filters/new" variant="primary" icon={<Plus />}>
      New filter
    </LinkButton>
  )
  return (
    <>
      <title>Filters · Stoa Mail</title>
      <PageHeader
        title="Filters"
        description="Sort, label, forward, answer or reject incoming mail."
        actions={create}
      />
      <div className="flex flex-col gap-6">
        <section aria-label="Filters" className="flex min-w-0 flex-col gap-3">
          <div className="flex min-h-8 flex-wrap items-center gap-2">
            <UrlSearch label="Search filters" value={search} onSearch={(q) => url.set({ q, page: '' })} />
            <AddressChoice filters={filters} emails={emails} />
          </div>
          <div
            aria-busy={query.isPending}
            className="min-w-0 overflow-clip rounded-xl border border-line bg-surface shadow-sm"
          >
            <Body query={query} emails={emails} empty={create} onDelete={setDeleting} />
          </div>
          {query.data && query.data.pages > 1 ? <Pager {...pagerOf(query.data, url)} /> : null}
        </section>
        <RunningOrder />
      </div>
      <DeleteFilter filter={deleting} onClose={() => setDeleting(undefined)} />
    </>
  )
}

const NONE: readonly Filter[] = []

type Emails = ReadonlyMap<string, string>

/** The names of the addresses that filters are for; not asked for while none is. */
const useEmails = (filters: readonly Filter[]): Emails => {
  const isNeeded = filters.some(({ address_id: id }) => id !== null)
  const { data } = useQuery({ ...allAddressesQuery, enabled: isNeeded })
  return new Map(data?.addresses.map(({ id, email }) => [id, email]))
}

const AddressChoice = ({ filters, emails }: { filters: readonly Filter[]; emails: Emails }) => {
  const url = useUrlState()
  const chosen = url.get('for')
  const ids = new Set(filters.flatMap(({ address_id: id }) => id ?? []))
  if (ids.size === 0 && chosen === '') return null
  return (
    <Select
      aria-label="Address"
      className="w-64! phone:w-full!"
      value={chosen}
      options={[
        { value: '', label: 'Mail to any address' },
        ...[...ids].map((id) => ({ value: id, label: `Mail to ${emails.get(id) ?? 'one address'}` })),
      ]}
      onValue={(value) => url.set({ for: value })}
    />
  )
}

type BodyProps = {
  query: { data: { data: readonly Filter[] } | undefined; error: unknown; refetch: () => unknown }
  emails: Emails
  empty: ReactNode
  onDelete: (filter: Filter) => void
}

const Body = ({ query, emails, empty, onDelete }: BodyProps) => {
  const url = useUrlState()
  const change = useFilterChange()
  const state = listState({ data: query.data?.data, error: query.error, refetch: query.refetch }, messageOf)
  if (state.status === 'error') return <ListError message={state.message} onRetry={state.onRetry} />
  if (state.status === 'loading') return <ListSkeleton />
  const isPart = url.get('q') !== ''
  if (state.rows.length === 0)
    return isPart ? (
      <NothingMatches onClear={() => url.set({ q: '', for: '', page: '' })} />
    ) : (
      <EmptyState icon={<FilterIcon />} title="No filters yet" action={empty}>
        Sort newsletters, forward invoices or reply automatically before mail reaches the inbox.
      </EmptyState>
    )
  const groups = groupsFor(
    groupFilters(state.rows, (id) => emails.get(id) ?? ''),
    url.get('for'),
  )
  if (groups.length === 0) return <NothingMatches onClear={() => url.set({ for: '' })} />
  return (
    <div className="divide-y divide-line">
      {groups.map((group) => (
        <FilterList
          key={group.addressId}
          group={group}
          email={emails.get(group.addressId)}
          isPart={isPart}
          hasHandles={!isPart && groups.some(({ filters }) => filters.length > 1)}
          onChange={change}
          onDelete={onDelete}
        />
      ))}
    </div>
  )
}

const ROWS = [1, 2, 3]

const ListSkeleton = () => (
  <div role="status" className="divide-y divide-line">
    <span className="sr-only">Loading</span>
    {ROWS.map((row) => (
      <div key={row} className="flex items-center gap-4 px-4 py-4">
        <Skeleton className="h-4.5 w-8 rounded-full" />
        <div className="flex flex-1 flex-col gap-2">
          <Skeleton className="w-40" />
          <Skeleton className="w-2/3" />
        </div>
      </div>
    ))}
  </div>
)
