import type { Webhook, WebhookWithSecret } from '@stoa/mail-model/webhooks.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { useNavigateTo } from '@stoa/ui/navigation/link.tsx'
import { Tabs } from '@stoa/ui/navigation/tabs.tsx'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { type Column, DataTable } from '@stoa/ui/table/data-table.tsx'
import { listState } from '@stoa/ui/table/list-state.ts'
import { UrlSearch } from '@stoa/ui/table/url-search.tsx'
import { EndpointState } from '@stoa/ui/webhooks/states.tsx'
import { DeleteWebhookDialog } from '@stoa/ui/webhooks/webhook-actions.tsx'
import { describeEvents } from '@stoa/ui/webhooks/words.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Pencil, Plus, Power, Trash2, Webhook as WebhookIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { sortOf } from '../list-url.ts'
import { EventLog } from './event-log.tsx'
import { chosenEvents, nameOf, orderOf, standingOf } from './events.ts'
import { updateWebhook, WEBHOOKS, webhooksQuery } from './queries.ts'
import { WebhookSecret } from './secret-dialog.tsx'
import { useDeleteWebhook } from './use-delete-webhook.ts'
import { EditWebhookDialog, NewWebhookDialog } from './webhook-form.tsx'

const columns: readonly [Column<Webhook>, ...Column<Webhook>[]] = [
  {
    id: 'endpoint',
    header: 'Endpoint',
    sortable: true,
    cell: (webhook) => (
      <span className="flex min-w-0 flex-col">
        <span className="truncate">{nameOf(webhook)}</span>
        <span className="truncate font-normal text-faint text-xs">{webhook.endpoint}</span>
      </span>
    ),
  },
  { id: 'state', header: 'Status', sortable: true, cell: (webhook) => <State webhook={webhook} /> },
  { id: 'events', header: 'Events', cell: (webhook) => <Badge>{describeEvents(webhook.events, chosenEvents)}</Badge> },
  {
    id: 'success',
    header: 'Last success',
    sortable: true,
    cell: ({ last_success_at: at }) => (at === null ? 'None yet' : <RelativeTime at={at} />),
  },
]

const State = ({ webhook }: { webhook: Webhook }) => (
  <span className="inline-flex flex-wrap items-center gap-2">
    <EndpointState {...standingOf(webhook)} />
    {webhook.failing_since === null ? null : (
      <span className="text-faint">
        since <RelativeTime at={webhook.failing_since} />
      </span>
    )}
  </span>
)

type View = 'endpoints' | 'events'

/** The servers that are notified of mail events, and what was sent to them. */
export const WebhooksScreen = () => {
  const url = useUrlState()
  const navigateTo = useNavigateTo()
  const [created, setCreated] = useState<WebhookWithSecret>()
  const view: View = url.get('tab') === 'events' ? 'events' : 'endpoints'
  const create = (
    <Button variant="primary" icon={<Plus />} onClick={() => url.set({ new: '1' })}>
      New webhook
    </Button>
  )
  return (
    <>
      <title>Webhooks · Stoa Mail</title>
      <PageHeader
        title="Webhooks"
        description="Notify your server about events for emails, domains, addresses and suppressions."
        actions={create}
      />
      <Tabs
        label="Webhooks"
        value={view}
        onValue={(tab) => url.set({ ...EMPTY, tab: tab === 'endpoints' ? '' : tab })}
        tabs={[
          { value: 'endpoints', label: 'Endpoints', content: <Endpoints create={create} /> },
          { value: 'events', label: 'Events', content: <EventLog /> },
        ]}
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
      {created ? (
        <WebhookSecret
          name={nameOf(created)}
          secret={created.signing_secret}
          onClose={() => navigateTo(`/webhooks/${created.id}`)}
        />
      ) : null}
    </>
  )
}

/** Each view has its own filters. */
const EMPTY = { q: '', type: '', status: '', page: '', sort: '', direction: '', event: '', endpoint: '' }

const Endpoints = ({ create }: { create: ReactNode }) => {
  const url = useUrlState()
  const query = useQuery(webhooksQuery)
  const toggle = useSwitch()
  const remove = useDeleteWebhook()
  const words = url.get('q').trim().toLowerCase()
  const sort = sortOf(url, { by: 'endpoint', direction: 'asc' })
  const rows = query.data?.data
    .filter(({ endpoint, description }) => `${description ?? ''} ${endpoint}`.toLowerCase().includes(words))
    .sort(orderOf(sort))
  const [deleting, setDeleting] = useState<Webhook>()
  const editing = rows?.find(({ id }) => id === url.get('edit'))
  return (
    <>
      <DataTable
        label="Endpoints"
        columns={columns}
        state={listState({ data: rows, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={({ id }) => id}
        rowName={nameOf}
        rowTo={({ id }) => `/webhooks/${id}`}
        rowActions={({ status }) => [
          { label: 'Edit', icon: <Pencil />, onRun: ({ id }) => url.set({ edit: id }) },
          { label: status === 'enabled' ? 'Turn off' : 'Turn on', icon: <Power />, onRun: toggle },
          { label: 'Delete', icon: <Trash2 />, danger: true, onRun: setDeleting },
        ]}
        sort={sort}
        onSort={({ by, direction }) => url.set({ sort: by, direction })}
        toolbar={<UrlSearch label="Search endpoints" value={url.get('q')} onSearch={(q) => url.set({ q })} />}
        onClearFilters={words === '' ? undefined : () => url.set({ q: '' })}
        empty={
          <EmptyState icon={<WebhookIcon />} title="No webhooks yet" action={create}>
            Get notified when an email bounces, mail arrives, or a domain changes.
          </EmptyState>
        }
      />
      {editing ? <EditWebhookDialog key={editing.id} webhook={editing} onClose={() => url.set({ edit: '' })} /> : null}
      {deleting ? (
        <DeleteWebhookDialog
          name={nameOf(deleting)}
          onDelete={() => remove(deleting)}
          onClose={() => setDeleting(undefined)}
        />
      ) : null}
    </>
  )
}

const useSwitch = (): ((webhook: Webhook) => void) => {
  const queryClient = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: ({ id, status }: Webhook) =>
      updateWebhook(id, { status: status === 'enabled' ? 'disabled' : 'enabled' }),
    onSuccess: (webhook) =>
      toast({ tone: 'success', title: `${nameOf(webhook)} turned ${webhook.status === 'enabled' ? 'on' : 'off'}` }),
    onError: (error) => toast({ tone: 'danger', title: "Couldn't update the webhook", description: messageOf(error) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: WEBHOOKS }),
  })
  return mutate
}
