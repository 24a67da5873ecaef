import type { Audit } from '@stoa/mail-model/audit.ts'
import type { List } from '@stoa/mail-model/list.ts'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { readPage, useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { type Column, DataTable } from '@stoa/ui/table/data-table.tsx'
import { listState } from '@stoa/ui/table/list-state.ts'
import { UrlSearch } from '@stoa/ui/table/url-search.tsx'
import { keepPreviousData, queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { sendSignedIn } from '../../api.ts'
import { pagerOf, sortOf } from '../../list-url.ts'
import { meQuery } from '../../queries.ts'
import { NotYours } from '../not-yours.tsx'
import { actionWords, detailWords } from './words.ts'

/** Actions of the owner, and of commands on the server. */
export const AuditScreen = () => {
  const { data: me } = useSuspenseQuery(meQuery)
  return me.role === 'owner' ? <OwnersAudit /> : <NotYours screen="Audit log" />
}

const columns: readonly [Column<Audit>, ...Column<Audit>[]] = [
  { id: 'action', header: 'Action', cell: ({ action }) => actionWords[action] },
  { id: 'target', header: 'Target', cell: ({ target }) => <span className="break-all">{target ?? '–'}</span> },
  {
    id: 'detail',
    header: 'Details',
    cell: ({ detail }) => <span className="break-words">{detailWords(detail) || '–'}</span>,
  },
  {
    id: 'actor',
    header: 'By',
    cell: ({ actor }) => <span className="break-all">{actor === 'host' ? 'Server command' : actor}</span>,
  },
  { id: 'created_at', header: 'Time', sortable: true, cell: ({ created_at: at }) => <RelativeTime at={at} /> },
]

const auditQuery = (filter: { search: string; direction: string }, page: number) =>
  queryOptions({
    queryKey: ['instance', 'audit', filter, page],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ ...filter, page: String(page), per_page: '25' })
      return sendSignedIn<List<Audit>>('GET', `/api/instance/audit?${query}`, { signal })
    },
    placeholderData: keepPreviousData,
  })

const OwnersAudit = () => {
  const url = useUrlState()
  const sort = sortOf(url, { by: 'created_at', direction: 'desc' })
  const search = url.get('q')
  const query = useQuery(auditQuery({ search, direction: sort.direction }, readPage(url.get('page'))))
  return (
    <>
      <title>Audit log · Stoa Mail</title>
      <PageHeader title="Audit log" description="Changes by the owner and by server commands. Kept for a year." />
      <DataTable
        label="Audit log"
        columns={columns}
        state={listState({ data: query.data?.data, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={({ id }) => id}
        rowName={({ action, target }) => [actionWords[action], target].filter(Boolean).join(' ')}
        sort={sort}
        onSort={({ by, direction }) => url.set({ sort: by, direction, page: '' })}
        toolbar={<UrlSearch label="Search the log" value={search} onSearch={(q) => url.set({ q, page: '' })} />}
        onClearFilters={search === '' ? undefined : () => url.set({ q: '', page: '' })}
        empty={
          <EmptyState icon={<ScrollText />} title="Nothing logged yet">
            Changes to accounts, the queue and instance settings appear here.
          </EmptyState>
        }
        {...(query.data ? { pager: pagerOf(query.data, url) } : {})}
      />
    </>
  )
}
