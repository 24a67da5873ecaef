import type { Webhook } from '@stoa/mail-model/webhooks.ts'
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
import { EndpointState, OffNotice } from '@stoa/ui/webhooks/states.tsx'
import { WebhookActions } from '@stoa/ui/webhooks/webhook-actions.tsx'
import { areAll } from '@stoa/ui/webhooks/words.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { ChevronRight, Webhook as WebhookIcon } from 'lucide-react'
import { useState } from 'react'
import { hasName } from '../api.ts'
import { Gone } from '../not-found-notice.tsx'
import { PlanLimitHint, usePlanLimit } from '../plan-limit.tsx'
import { EventLog } from './event-log.tsx'
import { chosenEvents, nameOf, RETRIES, standingOf } from './events.ts'
import { rotateWebhook, updateWebhook, WEBHOOKS, webhookQuery } from './queries.ts'
import { WebhookSecret } from './secret-dialog.tsx'
import { TestPanel } from './test-panel.tsx'
import { useDeleteWebhook } from './use-delete-webhook.ts'
import { EditWebhookDialog } from './webhook-form.tsx'

/** One endpoint: its settings, a test, and what was sent. */
export const WebhookScreen = () => {
  const { webhookId = '' } = useParams({ strict: false })
  // The service reports the deletion while this screen is still being left: nothing of it is requested again
  const [deletedId, setDeletedId] = useState<string>()
  const isDeleted = deletedId === webhookId
  const query = useQuery({ ...webhookQuery(webhookId), enabled: !isDeleted })
  if (isDeleted) return <SkeletonText lines={6} />
  if (query.data)
    return <WebhookView key={query.data.id} webhook={query.data} onDeleted={() => setDeletedId(webhookId)} />
  if (!query.error) return <SkeletonText lines={6} />
  if (hasName(query.error, 'not_found'))
    return <Gone icon={<WebhookIcon />} thing="webhook" to="/webhooks" list="webhooks" />
  return (
    <Crash isScreen title="Couldn't load this webhook" onRetry={() => void query.refetch()}>
      {messageOf(query.error)}
    </Crash>
  )
}

const WebhookView = ({ webhook, onDeleted }: { webhook: Webhook; onDeleted: () => void }) => {
  const queryClient = useQueryClient()
  const navigateTo = useNavigateTo()
  const remove = useDeleteWebhook()
  const [secret, setSecret] = useState<string>()
  return (
    <>
      <title>{`${nameOf(webhook)} · Webhooks · Stoa Mail`}</title>
      <PageHeader
        crumbs={[{ label: 'Webhooks', to: '/webhooks' }]}
        title={<span className="break-words">{nameOf(webhook)}</span>}
        badge={<EndpointState {...standingOf(webhook)} />}
        description={<span className="break-all">{webhook.endpoint}</span>}
        actions={
          <WebhookActions
            name={nameOf(webhook)}
            edit={(onClose) => <EditWebhookDialog webhook={webhook} onClose={onClose} />}
            onReplaceSecret={async () => {
              const made = await rotateWebhook(webhook.id)
              void queryClient.invalidateQueries({ queryKey: WEBHOOKS })
              setSecret(made.signing_secret)
            }}
            onDelete={async () => {
              await remove(webhook)
              onDeleted()
              navigateTo('/webhooks')
            }}
          />
        }
      />
      <div className="flex flex-col gap-6">
        <Health webhook={webhook} />
        <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
          <WebhookFacts webhook={webhook} />
          <TestPanel webhook={webhook} />
        </div>
        <section aria-labelledby="events" className="flex min-w-0 flex-col gap-3">
          <h2 id="events" className="font-semibold text-md">
            Events
          </h2>
          <EventLog webhookId={webhook.id} />
          <Retries />
        </section>
      </div>
      {secret === undefined ? null : (
        <WebhookSecret name={nameOf(webhook)} secret={secret} onClose={() => setSecret(undefined)} />
      )}
    </>
  )
}

const Health = ({ webhook }: { webhook: Webhook }) => {
  if (webhook.status === 'disabled')
    return (
      <OffNotice reason={webhook.disabled_reason} gaveUp="Every delivery failed for five days">
        You can replay failed events once it's back on.
      </OffNotice>
    )
  if (webhook.failing_since === null) return null
  return (
    <Notice tone="warning" title="Deliveries are failing">
      Failing since <RelativeTime at={webhook.failing_since} />. After five days without a success, the webhook is
      turned off.
    </Notice>
  )
}

const WebhookFacts = ({ webhook }: { webhook: Webhook }) => {
  const queryClient = useQueryClient()
  const plan = usePlanLimit()
  const toggle = useMutation({
    mutationFn: (on: boolean) =>
      plan.guard('webhooks', () => updateWebhook(webhook.id, { status: on ? 'enabled' : 'disabled' })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: WEBHOOKS }),
    onError: (error) => toast({ tone: 'danger', title: "Couldn't update the webhook", description: messageOf(error) }),
  })
  return (
    <Panel>
      <div className="flex flex-col gap-5">
        <SwitchField
          label="Send events"
          help="When off, nothing is sent and waiting events fail."
          checked={toggle.isPending ? toggle.variables : webhook.status === 'enabled'}
          onChecked={(on) => toggle.mutate(on)}
        />
        <PlanLimitHint limit={plan} />
        <Facts
          facts={[
            {
              label: 'Events',
              value: areAll(webhook.events, chosenEvents) ? 'All events' : webhook.events.join(', '),
            },
            {
              label: 'Last success',
              value: webhook.last_success_at === null ? 'None yet' : <RelativeTime at={webhook.last_success_at} />,
            },
            { label: 'Secret', value: <code className="font-mono text-xs">{webhook.signing_secret_prefix}…</code> },
            { label: 'Created', value: <RelativeTime at={webhook.created_at} /> },
          ]}
        />
      </div>
    </Panel>
  )
}

const Retries = () => (
  <details className="group rounded-xl border border-line px-5 py-3 text-sm">
    <summary className="flex cursor-pointer list-none items-center gap-2 font-medium text-ink [&::-webkit-details-marker]:hidden">
      <ChevronRight aria-hidden className="size-4 shrink-0 text-faint group-open:rotate-90" />
      Retry schedule
    </summary>
    <div className="flex flex-col gap-3 pt-3 text-muted">
      <p className="max-w-prose">
        A 2xx response within 15 seconds counts as success. Anything else, including redirects, is retried. We make up
        to eight attempts, with these waits between them:
      </p>
      <ol className="grid grid-cols-8 gap-2 phone:grid-cols-2">
        {RETRIES.map((wait, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the number of the attempt is what it is
          <li key={index} className="flex flex-col rounded-lg border border-line bg-sunken px-2.5 py-1.5">
            <span className="text-faint text-xs">Attempt {index + 1}</span>
            <span className="text-ink">{wait}</span>
          </li>
        ))}
      </ol>
      <p className="max-w-prose">
        A 410 response or five days without a success turns the webhook off, and we email you. Events are kept for 30
        days and can be replayed.
      </p>
    </div>
  </details>
)
