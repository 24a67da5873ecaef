import type { Deleted } from '@stoa/mail-model/deleted.ts'
import type { List } from '@stoa/mail-model/list.ts'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { readPage, useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { type Column, DataTable } from '@stoa/ui/table/data-table.tsx'
import { listState } from '@stoa/ui/table/list-state.ts'
import { UrlSearch } from '@stoa/ui/table/url-search.tsx'
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ArchiveRestore, Trash2 } from 'lucide-react'
import { sendSignedIn } from '../api.ts'
import { pagerOf, sortOf } from '../list-url.ts'

type Filter = { search: string; sort: string; direction: string }

const deletedQuery = (filter: Filter, page: number) =>
  queryOptions({
    queryKey: ['deleted', filter, page],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ ...filter, page: String(page), per_page: '25' })
      return sendSignedIn<List<Deleted>>('GET', `/api/deleted?${query}`, { signal })
    },
    placeholderData: keepPreviousData,
  })

const columns: readonly [Column<Deleted>, ...Column<Deleted>[]] = [
  { id: 'name', header: 'Name', sortable: true, cell: ({ name }) => <span className="break-all">{name}</span> },
  {
    id: 'kind',
    header: 'Type',
    cell: ({ kind }) => (kind === 'domain' ? 'Domain with its addresses' : 'Address'),
  },
  {
    id: 'purge_at',
    header: 'Permanently deleted',
    sortable: true,
    cell: ({ purge_at: at }) => <RelativeTime at={at} />,
  },
]

/** Domains and addresses that can still be brought back. */
export const DeletedScreen = () => {
  const url = useUrlState()
  const sort = sortOf(url, { by: 'purge_at', direction: 'desc' })
  const search = url.get('q')
  const query = useQuery(deletedQuery({ search, sort: sort.by, direction: sort.direction }, readPage(url.get('page'))))
  const restore = useRestore()
  return (
    <>
      <title>Recently deleted · Stoa Mail</title>
      <PageHeader
        title="Recently deleted"
        description="You can restore domains and addresses, with all their mail, for 7 days after deleting them."
      />
      <DataTable
        label="Recently deleted"
        columns={columns}
        state={listState({ data: query.data?.data, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        rowActions={() => [{ label: 'Restore', icon: <ArchiveRestore />, onRun: restore }]}
        sort={sort}
        onSort={({ by, direction }) => url.set({ sort: by, direction, page: '' })}
        toolbar={<UrlSearch label="Search names" value={search} onSearch={(q) => url.set({ q, page: '' })} />}
        onClearFilters={search === '' ? undefined : () => url.set({ q: '', page: '' })}
        empty={
          <EmptyState icon={<Trash2 />} title="Nothing to restore">
            Domains and addresses that you delete stay here for 7 days.
          </EmptyState>
        }
        {...(query.data ? { pager: pagerOf(query.data, url) } : {})}
      />
    </>
  )
}

const useRestore = () => {
  const queryClient = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: ({ id }: Deleted) =>
      sendSignedIn<unknown>('POST', `/api/deleted/${encodeURIComponent(id)}/restore`, { body: {} }),
    onSuccess: (_restored, { name }) => toast({ tone: 'success', title: `${name} restored` }),
    onError: (error, { name }) =>
      toast({ tone: 'danger', title: `Couldn't restore ${name}`, description: messageOf(error) }),
    onSettled: () => queryClient.invalidateQueries(),
  })
  return mutate
}
