import type { Webhook, WebhookTest, WebhookWithSecret } from '@stoa/cms-model/webhooks.ts'
import { Button, IconButton } from '@stoa/ui/button.tsx'
import { CodeBlock } from '@stoa/ui/code-block.tsx'
import { ConfirmDialog } from '@stoa/ui/confirm-dialog.tsx'
import { Crash } from '@stoa/ui/error-boundary.tsx'
import { Facts } from '@stoa/ui/facts.tsx'
import { useNavigateTo } from '@stoa/ui/link.tsx'
import { Menu, MenuItem, MenuSeparator } from '@stoa/ui/menu.tsx'
import { Notice } from '@stoa/ui/notice.tsx'
import { PageHeader } from '@stoa/ui/page-header.tsx'
import { Panel } from '@stoa/ui/panel.tsx'
import { messageOf } from '@stoa/ui/problem.ts'
import { RelativeTime } from '@stoa/ui/relative-time.tsx'
import { SkeletonText } from '@stoa/ui/skeleton.tsx'
import { SwitchField } from '@stoa/ui/switch.tsx'
import { toast } from '@stoa/ui/toast-store.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Ellipsis, Pencil, RefreshCw, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { describeTypes } from '../types/scope.ts'
import { DeliveryLog } from './delivery-log.tsx'
import { describeDisabled, isAllEvents } from './events.ts'
import { deleteWebhook, rotateWebhook, testWebhook, updateWebhook, webhookQuery, webhooksQuery } from './queries.ts'
import { SigningSecretDialog } from './secret-dialog.tsx'
import { EditWebhookDialog } from './webhook-form.tsx'

/** One webhook: its settings, a test, and what was sent. */
export const WebhookScreen = ({ id }: { id: string }) => {
  const query = useQuery(webhookQuery(id))
  if (query.data) return <WebhookView webhook={query.data} />
  if (!query.error) return <SkeletonText lines={6} />
  return (
    <Crash title="This webhook could not be loaded" onRetry={() => void query.refetch()}>
      {messageOf(query.error)}
    </Crash>
  )
}

type Open = 'edit' | 'rotate' | 'delete'

const WebhookView = ({ webhook }: { webhook: Webhook }) => {
  const queryClient = useQueryClient()
  const [open, setOpen] = useState<Open>()
  const [rotated, setRotated] = useState<WebhookWithSecret>()
  const close = () => setOpen(undefined)
  const test = useMutation({
    mutationFn: () => testWebhook(webhook.id),
    onSettled: () => queryClient.invalidateQueries(webhooksQuery),
  })
  return (
    <>
      <title>{`${webhook.name} · Webhooks · Stoa CMS`}</title>
      <PageHeader
        crumbs={[{ label: 'Webhooks', to: '/webhooks' }]}
        title={webhook.name}
        description={<span className="break-all">{webhook.url}</span>}
        actions={
          <>
            <Button icon={<Send />} loading={test.isPending} onClick={() => test.mutate()}>
              Send test
            </Button>
            <Button icon={<Pencil />} onClick={() => setOpen('edit')}>
              Edit
            </Button>
            <Menu trigger={<IconButton variant="secondary" label="More actions" icon={<Ellipsis />} />}>
              <MenuItem icon={<RefreshCw />} onSelect={() => setOpen('rotate')}>
                Replace secret
              </MenuItem>
              <MenuSeparator />
              <MenuItem icon={<Trash2 />} danger onSelect={() => setOpen('delete')}>
                Delete webhook
              </MenuItem>
            </Menu>
          </>
        }
      />
      <div className="flex flex-col gap-6">
        {webhook.enabled ? null : (
          <Notice
            tone={webhook.disabledReason === 'owner' ? 'info' : 'danger'}
            title="This webhook is off: nothing is sent"
          >
            {describeDisabled(webhook.disabledReason)}
          </Notice>
        )}
        {test.error ? <Notice tone="danger">{messageOf(test.error)}</Notice> : null}
        {test.data && !test.isPending ? <TestResult result={test.data} /> : null}
        <WebhookFacts webhook={webhook} />
        <DeliveryLog webhookId={webhook.id} />
      </div>
      {open === 'edit' ? <EditWebhookDialog webhook={webhook} onClose={close} /> : null}
      <RotateWebhook webhook={webhook} open={open === 'rotate'} onClose={close} onRotated={setRotated} />
      <DeleteWebhook webhook={webhook} open={open === 'delete'} onClose={close} />
      {rotated ? <SigningSecretDialog webhook={rotated} onClose={() => setRotated(undefined)} /> : null}
    </>
  )
}

const TestResult = ({ result }: { result: WebhookTest }) => (
  <Notice
    tone={result.delivered ? 'success' : 'danger'}
    title={
      result.delivered
        ? `The test arrived: ${result.status} in ${result.durationMs} ms`
        : `The test did not arrive${result.status === null ? '' : `: the answer was ${result.status}`}`
    }
  >
    {result.error}
    {result.responseBody ? <CodeBlock label="Answer" code={result.responseBody} wrap className="mt-2" /> : null}
  </Notice>
)

const WebhookFacts = ({ webhook }: { webhook: Webhook }) => {
  const queryClient = useQueryClient()
  const toggle = useMutation({
    mutationFn: (enabled: boolean) => updateWebhook(webhook.id, { enabled }, 'any'),
    onSettled: () => queryClient.invalidateQueries(webhooksQuery),
    onError: (error) => toast({ tone: 'danger', title: 'The switch did not move', description: messageOf(error) }),
  })
  return (
    <Panel>
      <div className="flex flex-col gap-5">
        <SwitchField
          label="Send events"
          help="Off, nothing is sent and what waits is dropped."
          checked={toggle.isPending ? toggle.variables : webhook.enabled}
          onChecked={(enabled) => toggle.mutate(enabled)}
        />
        <Facts
          facts={[
            { label: 'Events', value: isAllEvents(webhook.events) ? 'All events' : webhook.events.join(', ') },
            { label: 'Entries of', value: webhook.types.length === 0 ? 'All types' : describeTypes(webhook.types) },
            { label: 'Secret', value: <code className="font-mono text-xs">whsec_…{webhook.secretLast4}</code> },
            { label: 'Created', value: <RelativeTime at={webhook.createdAt} /> },
          ]}
        />
      </div>
    </Panel>
  )
}

type ActProps = { webhook: Webhook; open: boolean; onClose: () => void }

const RotateWebhook = ({
  webhook,
  open,
  onClose,
  onRotated,
}: ActProps & { onRotated: (webhook: WebhookWithSecret) => void }) => {
  const queryClient = useQueryClient()
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onClose}
      title={`Replace the secret of “${webhook.name}”?`}
      consequence="The present one signs nothing more. Your server refuses events until it knows the new one; refused ones are sent again later."
      confirmLabel="Replace secret"
      onConfirm={async () => {
        const made = await rotateWebhook(webhook.id)
        void queryClient.invalidateQueries(webhooksQuery)
        onRotated(made)
      }}
    />
  )
}

const DeleteWebhook = ({ webhook, open, onClose }: ActProps) => {
  const queryClient = useQueryClient()
  const navigateTo = useNavigateTo()
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onClose}
      title={`Delete “${webhook.name}”?`}
      consequence="Nothing more is sent there, and its log is gone. It cannot be undone."
      confirmLabel="Delete webhook"
      onConfirm={async () => {
        await deleteWebhook(webhook.id)
        navigateTo('/webhooks')
        // Not what is below: this screen still shows it until the next one is there
        void queryClient.invalidateQueries({ ...webhooksQuery, exact: true })
        toast({ tone: 'success', title: `“${webhook.name}” is deleted` })
      }}
    />
  )
}
