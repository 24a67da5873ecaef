import type { WebhookEventItem } from '@stoa/mail-model/webhooks.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Select } from '@stoa/ui/form/select.tsx'
import { TextLink } from '@stoa/ui/navigation/link.tsx'
import { readPage, useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { type Column, DataTable } from '@stoa/ui/table/data-table.tsx'
import { listState } from '@stoa/ui/table/list-state.ts'
import { useSelection } from '@stoa/ui/table/selection.ts'
import { formatCount } from '@stoa/ui/text/format.ts'
import { DeliveryState } from '@stoa/ui/webhooks/states.tsx'
import { outcomeOptions } from '@stoa/ui/webhooks/words.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Eye, Inbox, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { pagerOf, selectionAmong, sortOf } from '../list-url.ts'
import { EventDialog } from './event-dialog.tsx'
import { nameOf, typeOptions } from './events.ts'
import { type EventsFilter, eventsQuery, replayEvent, WEBHOOKS, webhooksQuery } from './queries.ts'
import { ReplayEvents } from './replay-events.tsx'

const columns: readonly [Column<WebhookEventItem>, ...Column<WebhookEventItem>[]] = [
  { id: 'type', header: 'Event', sortable: true, cell: (event) => <OpenButton event={event} /> },
  {
    id: 'status',
    header: 'Status',
    sortable: true,
    cell: ({ status, attempts, response_status: answer }) => (
      <DeliveryState status={status} attempts={attempts} answer={answer} />
    ),
  },
  { id: 'attempts', header: 'Attempts', align: 'end', cell: (event) => event.attempts },
  {
    id: 'next',
    header: 'Next attempt',
    hideOnPhone: true,
    cell: ({ next_attempt_at: at }) => (at === null ? '–' : <RelativeTime at={at} />),
  },
  { id: 'created_at', header: 'Time', sortable: true, cell: (event) => <RelativeTime at={event.created_at} /> },
]

const endpointColumn: Column<WebhookEventItem> = {
  id: 'endpoint',
  header: 'Endpoint',
  cell: (event) => <EndpointLink id={event.webhook_id} />,
}

const OpenButton = ({ event }: { event: WebhookEventItem }) => {
  const url = useUrlState()
  return (
    <button
      type="button"
      className="max-w-full truncate rounded-xs hover:underline"
      onClick={() => url.set({ event: event.id, endpoint: event.webhook_id })}
    >
      {event.type}
    </button>
  )
}

const EndpointLink = ({ id }: { id: string }) => {
  const { data } = useQuery(webhooksQuery)
  const webhook = data?.data.find((one) => one.id === id)
  return (
    <TextLink to={`/webhooks/${id}`} className="block truncate desk:max-w-56">
      {webhook ? nameOf(webhook) : '…'}
    </TextLink>
  )
}

type EventLogProps = {
  /** Without it, of every endpoint. */
  webhookId?: string
}

/** Events sent to webhooks; the log refreshes itself. */
export const EventLog = ({ webhookId }: EventLogProps) => {
  const url = useUrlState()
  const sort = sortOf(url, { by: 'created_at', direction: 'desc' })
  const filter: EventsFilter = {
    type: url.get('type'),
    status: url.get('status'),
    sort: sort.by,
    direction: sort.direction,
  }
  const query = useQuery(eventsQuery(webhookId, filter, readPage(url.get('page'))))
  const selection = useSelection()
  const [replaying, setReplaying] = useState<readonly WebhookEventItem[]>()
  const rows = query.data?.data
  const total = query.data?.total ?? 0
  const again = useReplay()
  const openId = url.get('event')
  const isNarrowed = filter.type !== '' || filter.status !== ''
  const [first, ...rest] = columns
  return (
    <>
      <DataTable
        label="Events"
        columns={webhookId === undefined ? [first, endpointColumn, ...rest] : columns}
        state={listState({ data: rows, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={(event) => event.id}
        rowName={(event) => event.type}
        rowActions={({ status }) => [
          {
            label: 'View',
            icon: <Eye />,
            onRun: (event) => url.set({ event: event.id, endpoint: event.webhook_id }),
          },
          ...(status === 'success' || status === 'failed'
            ? [{ label: 'Replay', icon: <RotateCw />, onRun: (event: WebhookEventItem) => again.mutate(event) }]
            : []),
        ]}
        selection={selectionAmong(selection, rows)}
        bulkActions={[
          {
            label: 'Replay',
            icon: <RotateCw />,
            onRun: (keys) => setReplaying(rows?.filter(({ id }) => keys.has(id)) ?? []),
          },
        ]}
        sort={sort}
        onSort={({ by, direction }) => url.set({ sort: by, direction, page: '' })}
        toolbar={
          <>
            <Select
              aria-label="Event"
              className="max-w-56 phone:max-w-none phone:flex-1"
              value={filter.type}
              options={[{ value: '', label: 'All events' }, ...typeOptions]}
              onValue={(type) => url.set({ type, page: '' })}
            />
            <Select
              aria-label="Status"
              className="max-w-40 phone:max-w-none phone:flex-1"
              value={filter.status}
              options={outcomeOptions}
              onValue={(status) => url.set({ status, page: '' })}
            />
            {filter.status === 'failed' && total > 0 ? (
              <Button icon={<RotateCw />} className="ml-auto" onClick={() => setReplaying([])}>
                {`Replay ${formatCount(total, 'failed event', 'failed events')}`}
              </Button>
            ) : null}
          </>
        }
        onClearFilters={isNarrowed ? () => url.set({ type: '', status: '', page: '' }) : undefined}
        empty={
          <EmptyState icon={<Inbox />} title="No events yet">
            Events and responses are kept for 30 days. Send a test to try an endpoint.
          </EmptyState>
        }
        {...(query.data ? { pager: pagerOf(query.data, url) } : {})}
      />
      {openId === '' ? null : (
        <EventDialog
          webhookId={webhookId ?? url.get('endpoint')}
          eventId={openId}
          replaying={again.isPending}
          onReplay={() => again.mutate({ webhook_id: webhookId ?? url.get('endpoint'), id: openId })}
          onClose={() => url.set({ event: '', endpoint: '' })}
        />
      )}
      {replaying ? (
        <ReplayEvents
          chosen={replaying}
          failed={{ webhookId, filter, total }}
          onSettled={selection.clear}
          onClose={() => setReplaying(undefined)}
        />
      ) : null}
    </>
  )
}

const useReplay = () => {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: replayEvent,
    onSuccess: () => toast({ tone: 'success', title: 'Event replayed' }),
    onError: (error) => toast({ tone: 'danger', title: 'Replay failed', description: messageOf(error) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: WEBHOOKS }),
  })
}
