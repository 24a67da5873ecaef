import type { QueueItem } from '@stoa/mail-model/queue.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Select } from '@stoa/ui/form/select.tsx'
import { readPage, useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { type Column, DataTable } from '@stoa/ui/table/data-table.tsx'
import { listState } from '@stoa/ui/table/list-state.ts'
import { UrlSearch } from '@stoa/ui/table/url-search.tsx'
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Building2, CirclePause, Filter, MailCheck, RotateCw, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import { NotYours } from '../instance/not-yours.tsx'
import { pagerOf, sortOf } from '../list-url.ts'
import { meQuery } from '../queries.ts'
import { DropItem } from './drop-item.tsx'
import { HoldsPanel } from './holds-panel.tsx'
import { QUEUE, type QueueFilter, queueQuery, retryItem } from './queries.ts'
import { canDrop, canRetry, describeState, reasonOf, stateOptions } from './states.ts'

const columns: readonly [Column<QueueItem>, ...Column<QueueItem>[]] = [
  {
    id: 'recipient',
    header: 'To',
    cell: ({ recipient }) => <span className="break-all">{recipient}</span>,
  },
  { id: 'from', header: 'From', cell: ({ from }) => <span className="break-all">{from ?? 'Delivery report'}</span> },
  {
    id: 'state',
    header: 'Status',
    cell: ({ state }) => <Badge tone={describeState(state).tone}>{describeState(state).label}</Badge>,
  },
  {
    id: 'reason',
    header: 'Last reply',
    cell: (item) => (
      <span title={reasonOf(item)} className="block truncate desk:max-w-64 phone:whitespace-normal">
        {reasonOf(item)}
      </span>
    ),
  },
  { id: 'attempts', header: 'Attempts', sortable: true, align: 'end', cell: ({ attempts }) => attempts },
  {
    id: 'next_attempt_at',
    header: 'Next attempt',
    sortable: true,
    cell: ({ next_attempt_at: at, state }) =>
      at === null ? state === 'sending' ? 'Now' : '–' : <RelativeTime at={at} />,
  },
  { id: 'expires_at', header: 'Expires', hideOnPhone: true, cell: (item) => <RelativeTime at={item.expires_at} /> },
  { id: 'created_at', header: 'Added', sortable: true, cell: (item) => <RelativeTime at={item.created_at} /> },
]

const NO_FILTERS = { q: '', domain: '', state: '', account: '', page: '' }

/** Mail of the whole instance that waits to be sent. */
export const QueueScreen = () => {
  const { data: me } = useSuspenseQuery(meQuery)
  return me.role === 'owner' ? <OwnersQueue /> : <NotYours screen="Queue" />
}

const OwnersQueue = () => {
  const url = useUrlState()
  const sort = sortOf(url, { by: 'created_at', direction: 'desc' })
  const filter: QueueFilter = {
    search: url.get('q'),
    domain: url.get('domain'),
    state: url.get('state'),
    account_id: url.get('account'),
    sort: sort.by,
    direction: sort.direction,
  }
  const query = useQuery(queueQuery(filter, readPage(url.get('page'))))
  const [dropping, setDropping] = useState<QueueItem | null>(null)
  const retry = useRetry()
  const isNarrowed = [filter.search, filter.domain, filter.state, filter.account_id].some((value) => value !== '')
  return (
    <>
      <title>Queue · Stoa Mail</title>
      <PageHeader title="Queue" description="Outgoing mail of all accounts that hasn't been delivered yet." />
      <div className="flex flex-col gap-6">
        <DataTable
          label="Queue"
          columns={columns}
          state={listState({ data: query.data?.data, error: query.error, refetch: query.refetch }, messageOf)}
          rowKey={({ id }) => id}
          rowName={({ recipient }) => `mail to ${recipient}`}
          rowActions={(item) => [
            ...(canRetry(item) ? [{ label: 'Retry now', icon: <RotateCw />, onRun: () => retry(item) }] : []),
            {
              label: 'Show this domain',
              icon: <Filter />,
              onRun: () => url.set({ ...NO_FILTERS, domain: item.domain }),
            },
            ...(item.account_id === null
              ? []
              : [
                  {
                    label: 'Show this account',
                    icon: <Building2 />,
                    onRun: () => url.set({ ...NO_FILTERS, account: item.account_id ?? '' }),
                  },
                ]),
            ...(item.state === 'held'
              ? []
              : [{ label: 'Hold this domain', icon: <CirclePause />, onRun: () => url.set({ hold: item.domain }) }]),
            ...(canDrop(item)
              ? [{ label: 'Drop', icon: <Trash2 />, danger: true, onRun: () => setDropping(item) }]
              : []),
          ]}
          sort={sort}
          onSort={({ by, direction }) => url.set({ sort: by, direction, page: '' })}
          toolbar={
            <>
              <UrlSearch label="Search addresses" value={filter.search} onSearch={(q) => url.set({ q, page: '' })} />
              <UrlSearch
                label="Domain, like example.com"
                shortcut={false}
                value={filter.domain}
                onSearch={(domain) => url.set({ domain, page: '' })}
              />
              <Select
                aria-label="Status"
                className="max-w-40 phone:max-w-none"
                value={filter.state}
                options={stateOptions}
                onValue={(state) => url.set({ state, page: '' })}
              />
              {filter.account_id === '' ? null : (
                <Button icon={<X />} onClick={() => url.set({ account: '', page: '' })}>
                  Show all accounts
                </Button>
              )}
            </>
          }
          onClearFilters={isNarrowed ? () => url.set(NO_FILTERS) : undefined}
          empty={
            <EmptyState icon={<MailCheck />} title="The queue is empty">
              All outgoing mail has been sent. Mail that has to wait appears here.
            </EmptyState>
          }
          {...(query.data ? { pager: pagerOf(query.data, url) } : {})}
        />
        <HoldsPanel />
      </div>
      {dropping ? <DropItem item={dropping} onClose={() => setDropping(null)} /> : null}
    </>
  )
}

const useRetry = () => {
  const queryClient = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: ({ id }: QueueItem) => retryItem(id),
    onSuccess: ({ recipient }) => toast({ tone: 'success', title: `Retrying mail to ${recipient}` }),
    onError: (error) => toast({ tone: 'danger', title: 'Retry failed', description: messageOf(error) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: QUEUE }),
  })
  return mutate
}
