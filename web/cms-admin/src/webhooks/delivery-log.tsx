import type { Delivery } from '@stoa/cms-model/webhooks.ts'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Select } from '@stoa/ui/form/select.tsx'
import { readPage, useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { type Column, DataTable } from '@stoa/ui/table/data-table.tsx'
import { turnIn } from '@stoa/ui/table/list-pages.ts'
import { listState } from '@stoa/ui/table/list-state.ts'
import { DeliveryState } from '@stoa/ui/webhooks/states.tsx'
import { outcomeOptions } from '@stoa/ui/webhooks/words.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Eye, Inbox, RotateCw } from 'lucide-react'
import { pagerOf } from '../list-pages.ts'
import { OneDelivery } from './one-delivery.tsx'
import { deliveriesQuery, redeliver, webhooksQuery } from './queries.ts'

const columns: readonly [Column<Delivery>, ...Column<Delivery>[]] = [
  {
    id: 'event',
    header: 'Event',
    cell: (delivery) => (
      <span className="inline-flex max-w-full items-center gap-2">
        <span className="truncate">{delivery.event}</span>
        {delivery.test ? <Badge>Test</Badge> : null}
      </span>
    ),
  },
  {
    id: 'outcome',
    header: 'Status',
    cell: ({ status, attempts, responseStatus: answer }) => (
      <DeliveryState status={status} attempts={attempts} answer={answer} />
    ),
  },
  { id: 'attempts', header: 'Attempts', align: 'end', cell: (delivery) => delivery.attempts },
  {
    id: 'duration',
    header: 'Duration',
    align: 'end',
    hideOnPhone: true,
    cell: (delivery) => (delivery.durationMs === null ? '–' : `${delivery.durationMs} ms`),
  },
  { id: 'createdAt', header: 'Occurred', cell: (delivery) => <RelativeTime at={delivery.createdAt} /> },
  {
    id: 'next',
    header: 'Next attempt',
    hideOnPhone: true,
    cell: (delivery) => (delivery.nextAttemptAt === null ? '–' : <RelativeTime at={delivery.nextAttemptAt} />),
  },
]

/** What was sent to a webhook; the log refreshes itself. */
export const DeliveryLog = ({ webhookId }: { webhookId: string }) => {
  const url = useUrlState()
  const queryClient = useQueryClient()
  const status = url.get('status')
  const page = readPage(url.get('page'))
  const query = useQuery(deliveriesQuery(webhookId, { page, status }))
  const again = useMutation({
    mutationFn: (deliveryId: string) => redeliver(webhookId, deliveryId),
    onSuccess: () => toast({ tone: 'success', title: 'Resent' }),
    onError: (error) => toast({ tone: 'danger', title: "Couldn't resend the delivery", description: messageOf(error) }),
    onSettled: () => queryClient.invalidateQueries(webhooksQuery),
  })
  const openId = url.get('delivery')
  return (
    <section aria-labelledby="deliveries" className="flex min-w-0 flex-col gap-3">
      <h2 id="deliveries" className="font-semibold text-md">
        Deliveries
      </h2>
      <DataTable
        label="Deliveries"
        columns={columns}
        state={listState({ data: query.data?.items, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={(delivery) => delivery.id}
        rowName={(delivery) => delivery.event}
        rowActions={() => [
          { label: 'View', icon: <Eye />, onRun: (delivery) => url.set({ delivery: delivery.id }) },
          { label: 'Resend', icon: <RotateCw />, onRun: (delivery) => again.mutate(delivery.id) },
        ]}
        toolbar={
          <Select
            aria-label="Status"
            className="max-w-44"
            value={status}
            options={outcomeOptions}
            onValue={(value) => url.set({ status: value, page: '' })}
          />
        }
        onClearFilters={status === '' ? undefined : () => url.set({ status: '', page: '' })}
        empty={
          <EmptyState icon={<Inbox />} title="No deliveries yet">
            Events show up here with the response. Send a test to try the endpoint.
          </EmptyState>
        }
        {...(query.data ? { pager: pagerOf(query.data, turnIn(url)) } : {})}
      />
      {openId === '' ? null : (
        <OneDelivery
          webhookId={webhookId}
          deliveryId={openId}
          onRedeliver={() => again.mutateAsync(openId)}
          onClose={() => url.set({ delivery: '' })}
        />
      )}
    </section>
  )
}
