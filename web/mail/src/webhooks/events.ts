import {
  type WebhookEventType,
  webhookEventGroups,
  webhookEvents,
  webhookEventTypes,
} from '@stoa/mail-model/webhook-events.ts'
import type { Webhook } from '@stoa/mail-model/webhooks.ts'
import type { Sort } from '@stoa/ui/table/data-table.tsx'
import type { EventGroup } from '@stoa/ui/webhooks/event-choice.tsx'
import { describeEndpoint, type EndpointStanding } from '@stoa/ui/webhooks/words.ts'

/** The sample of a test: sent when asked for, and so not chosen. */
export const TEST_EVENT = 'webhook.test' satisfies WebhookEventType

/** The events in the groups that people think in. */
export const eventGroups: readonly EventGroup<WebhookEventType>[] = webhookEventGroups.map((group) => ({
  label: group,
  events: webhookEventTypes
    .filter((name) => webhookEvents[name].group === group)
    .map((name) => ({ name, label: webhookEvents[name].label })),
}))

/** Every event that can be chosen. */
export const chosenEvents: readonly WebhookEventType[] = eventGroups.flatMap(({ events }) =>
  events.map(({ name }) => name),
)

/** For a filter or the choice of a test: the groups, and the sample of a test. */
export const typeOptions = [
  { value: TEST_EVENT, label: TEST_EVENT },
  ...eventGroups.flatMap(({ label, events }) => events.map(({ name }) => ({ value: name, label: name, group: label }))),
]

export const isEventType = (value: string): value is WebhookEventType => typeOptions.some((one) => one.value === value)

/** How an endpoint does. */
export const standingOf = (
  webhook: Pick<Webhook, 'status' | 'disabled_reason' | 'failing_since'>,
): EndpointStanding => ({
  isOn: webhook.status === 'enabled',
  offReason: webhook.disabled_reason,
  isFailing: webhook.failing_since !== null,
})

type Ordered = Pick<
  Webhook,
  'description' | 'endpoint' | 'status' | 'disabled_reason' | 'failing_since' | 'last_success_at'
>

/** Compares endpoints by what a column of their list shows. */
export const orderOf = ({ by, direction }: Sort): ((a: Ordered, b: Ordered) => number) => {
  const shown = (webhook: Ordered): string => {
    if (by === 'state') return describeEndpoint(standingOf(webhook)).label
    return by === 'success' ? (webhook.last_success_at ?? '') : nameOf(webhook)
  }
  const sign = direction === 'asc' ? 1 : -1
  return (a, b) => sign * shown(a).localeCompare(shown(b), undefined, { numeric: true })
}

/** How long after the attempt before it each one comes. */
export const RETRIES = [
  'Immediately',
  '5 seconds',
  '5 minutes',
  '30 minutes',
  '2 hours',
  '5 hours',
  '10 hours',
  '10 hours',
]

/** An address in a few words: what it is for, or its host. */
export const nameOf = ({ description, endpoint }: Pick<Webhook, 'description' | 'endpoint'>): string =>
  description ?? hostOf(endpoint)

const hostOf = (endpoint: string): string => URL.parse(endpoint)?.host ?? endpoint
