import type { Webhook, WebhookWithSecret } from '@stoa/cms-model/webhooks.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { useNavigateTo } from '@stoa/ui/navigation/link.tsx'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { type Column, DataTable } from '@stoa/ui/table/data-table.tsx'
import { listState } from '@stoa/ui/table/list-state.ts'
import { DeliveryState, EndpointState } from '@stoa/ui/webhooks/states.tsx'
import { describeEvents } from '@stoa/ui/webhooks/words.ts'
import { useQuery } from '@tanstack/react-query'
import { Plus, Webhook as WebhookIcon } from 'lucide-react'
import { useState } from 'react'
import { ALL_EVENTS } from './events.ts'
import { webhooksQuery } from './queries.ts'
import { WebhookSecret } from './secret-dialog.tsx'
import { NewWebhookDialog } from './webhook-form.tsx'

const columns: readonly [Column<Webhook>, ...Column<Webhook>[]] = [
  {
    id: 'name',
    header: 'Webhook',
    cell: (webhook) => (
      <span className="flex min-w-0 flex-col">
        <span className="truncate">{webhook.name}</span>
        <span className="truncate font-normal text-faint text-xs">{webhook.url}</span>
      </span>
    ),
  },
  {
    id: 'state',
    header: 'Status',
    cell: (webhook) => <EndpointState isOn={webhook.enabled} offReason={webhook.disabledReason} />,
  },
  { id: 'events', header: 'Events', cell: (webhook) => <Badge>{describeEvents(webhook.events, ALL_EVENTS)}</Badge> },
  { id: 'last', header: 'Last delivery', cell: (webhook) => <LastDelivery last={webhook.lastDelivery} /> },
]

const LastDelivery = ({ last }: { last: Webhook['lastDelivery'] }) => {
  if (last === null) return 'None yet'
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <DeliveryState status={last.status} attempts={last.attempt} answer={last.responseStatus} />
      <RelativeTime at={last.at} className="text-faint" />
    </span>
  )
}

/** The servers that the site notifies of events. */
export const WebhooksScreen = () => {
  const query = useQuery(webhooksQuery)
  const url = useUrlState()
  const navigateTo = useNavigateTo()
  const [created, setCreated] = useState<WebhookWithSecret>()
  const create = (
    <Button variant="primary" icon={<Plus />} onClick={() => url.set({ new: '1' })}>
      New webhook
    </Button>
  )
  return (
    <>
      <title>Webhooks · Stoa CMS</title>
      <PageHeader
        title="Webhooks"
        description="Notify your website or another server when content changes"
        actions={create}
      />
      <DataTable
        label="Webhooks"
        columns={columns}
        state={listState({ data: query.data?.items, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={(webhook) => webhook.id}
        rowName={(webhook) => webhook.name}
        rowTo={(webhook) => `/webhooks/${webhook.id}`}
        empty={
          <EmptyState icon={<WebhookIcon />} title="No webhooks yet" action={create}>
            Use webhooks to rebuild a static site, clear a cache or notify your team.
          </EmptyState>
        }
      />
      {url.get('new') ? (
        <NewWebhookDialog
          onClose={() => url.set({ new: '' })}
          onCreated={(webhook) => {
            url.set({ new: '' })
            setCreated(webhook)
          }}
        />
      ) : null}
      {created ? <WebhookSecret webhook={created} onClose={() => navigateTo(`/webhooks/${created.id}`)} /> : null}
    </>
  )
}
