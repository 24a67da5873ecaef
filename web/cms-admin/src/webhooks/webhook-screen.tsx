import type { Webhook, WebhookWithSecret } from '@stoa/cms-model/webhooks.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Facts } from '@stoa/ui/display/facts.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { Crash } from '@stoa/ui/feedback/error-boundary.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { SkeletonText } from '@stoa/ui/feedback/skeleton.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { SwitchField } from '@stoa/ui/form/switch.tsx'
import { useNavigateTo } from '@stoa/ui/navigation/link.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { EndpointState, OffNotice, TestResult } from '@stoa/ui/webhooks/states.tsx'
import { WebhookActions } from '@stoa/ui/webhooks/webhook-actions.tsx'
import { areAll } from '@stoa/ui/webhooks/words.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { useState } from 'react'
import { describeTypes } from '../types/scope.ts'
import { DeliveryLog } from './delivery-log.tsx'
import { ALL_EVENTS } from './events.ts'
import { deleteWebhook, rotateWebhook, testWebhook, updateWebhook, webhookQuery, webhooksQuery } from './queries.ts'
import { WebhookSecret } from './secret-dialog.tsx'
import { EditWebhookDialog } from './webhook-form.tsx'

/** One webhook: its settings, a test, and what was sent. */
export const WebhookScreen = ({ id }: { id: string }) => {
  const query = useQuery(webhookQuery(id))
  if (query.data) return <WebhookView webhook={query.data} />
  if (!query.error) return <SkeletonText lines={6} />
  return (
    <Crash isScreen title="Couldn't load this webhook" onRetry={() => void query.refetch()}>
      {messageOf(query.error)}
    </Crash>
  )
}

const WebhookView = ({ webhook }: { webhook: Webhook }) => {
  const queryClient = useQueryClient()
  const navigateTo = useNavigateTo()
  const [rotated, setRotated] = useState<WebhookWithSecret>()
  const test = useMutation({
    mutationFn: () => testWebhook(webhook.id),
    onSettled: () => queryClient.invalidateQueries(webhooksQuery),
  })
  return (
    <>
      <title>{`${webhook.name} · Webhooks · Stoa CMS`}</title>
      <PageHeader
        crumbs={[{ label: 'Webhooks', to: '/webhooks' }]}
        title={<span className="break-words">{webhook.name}</span>}
        badge={<EndpointState isOn={webhook.enabled} offReason={webhook.disabledReason} />}
        description={<span className="break-all">{webhook.url}</span>}
        actions={
          <>
            <Button icon={<Send />} loading={test.isPending} onClick={() => test.mutate()}>
              Send test
            </Button>
            <WebhookActions
              name={webhook.name}
              edit={(onClose) => <EditWebhookDialog webhook={webhook} onClose={onClose} />}
              onReplaceSecret={async () => {
                const made = await rotateWebhook(webhook.id)
                void queryClient.invalidateQueries(webhooksQuery)
                setRotated(made)
              }}
              onDelete={async () => {
                await deleteWebhook(webhook.id)
                navigateTo('/webhooks')
                // Not what is below: this screen still shows it until the next one is there
                void queryClient.invalidateQueries({ ...webhooksQuery, exact: true })
              }}
            />
          </>
        }
      />
      <div className="flex flex-col gap-6">
        {webhook.enabled ? null : (
          <OffNotice reason={webhook.disabledReason} gaveUp="Too many events failed in a row" />
        )}
        {test.error ? <Notice tone="danger">{messageOf(test.error)}</Notice> : null}
        {test.data && !test.isPending ? <TestResult {...test.data} response={test.data.responseBody} /> : null}
        <WebhookFacts webhook={webhook} />
        <DeliveryLog webhookId={webhook.id} />
      </div>
      {rotated ? <WebhookSecret webhook={rotated} onClose={() => setRotated(undefined)} /> : null}
    </>
  )
}

const WebhookFacts = ({ webhook }: { webhook: Webhook }) => {
  const queryClient = useQueryClient()
  const toggle = useMutation({
    mutationFn: (enabled: boolean) => updateWebhook(webhook.id, { enabled }, 'any'),
    onSettled: () => queryClient.invalidateQueries(webhooksQuery),
    onError: (error) => toast({ tone: 'danger', title: "Couldn't change this setting", description: messageOf(error) }),
  })
  return (
    <Panel>
      <div className="flex flex-col gap-5">
        <SwitchField
          label="Send events"
          help="When off, no events are sent and pending events are dropped"
          checked={toggle.isPending ? toggle.variables : webhook.enabled}
          onChecked={(enabled) => toggle.mutate(enabled)}
        />
        <Facts
          facts={[
            { label: 'Events', value: areAll(webhook.events, ALL_EVENTS) ? 'All events' : webhook.events.join(', ') },
            { label: 'Content types', value: webhook.types.length === 0 ? 'All types' : describeTypes(webhook.types) },
            { label: 'Secret', value: <code className="font-mono text-xs">whsec_…{webhook.secretLast4}</code> },
            { label: 'Created', value: <RelativeTime at={webhook.createdAt} /> },
          ]}
        />
      </div>
    </Panel>
  )
}
