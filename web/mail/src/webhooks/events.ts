import type { WebhookEventType } from '@stoa/mail-model/webhook-events.ts'
import type { Webhook, WebhookEventItem } from '@stoa/mail-model/webhooks.ts'
import type { Tone } from '@stoa/ui/badge.tsx'
import type { Sort } from '@stoa/ui/data-table.tsx'

/** The sample of a test: sent when asked for, and so not chosen. */
export const TEST_EVENT = 'webhook.test' satisfies WebhookEventType

type EventGroup = { label: string; events: readonly { name: WebhookEventType; label: string }[] }

const group = (label: string, events: Partial<Record<WebhookEventType, string>>): EventGroup => ({
  label,
  events: Object.entries(events).map(([name, words]) => ({ name: name as WebhookEventType, label: words })),
})

/** The events in the groups that people think in. */
export const eventGroups: readonly EventGroup[] = [
  group('Sending', {
    'email.scheduled': 'Scheduled',
    'email.sent': 'Sent',
    'email.delivered': 'Delivered',
    'email.delivery_delayed': 'Delayed',
    'email.bounced': 'Bounced',
    'email.complained': 'Complained',
    'email.failed': 'Failed',
    'email.suppressed': 'Suppressed',
  }),
  group('Reading', { 'email.opened': 'Opened', 'email.clicked': 'Link followed' }),
  group('Receiving', { 'email.received': 'Received' }),
  group('Domains', { 'domain.created': 'Added', 'domain.updated': 'Changed', 'domain.deleted': 'Deleted' }),
  group('Addresses', { 'address.created': 'Created', 'address.updated': 'Changed', 'address.deleted': 'Deleted' }),
  group('Suppressions', { 'suppression.added': 'Added', 'suppression.removed': 'Removed' }),
  group('Transfers', { 'transfer.completed': 'Completed', 'transfer.failed': 'Failed' }),
]

/** Every event that can be chosen. */
export const chosenEvents: readonly WebhookEventType[] = eventGroups.flatMap(({ events }) =>
  events.map(({ name }) => name),
)

export const isAllEvents = (events: readonly string[]): boolean => chosenEvents.every((name) => events.includes(name))

/** Events in a cell: "All events", the names of two, or a count. */
export const describeEvents = (events: readonly string[]): string => {
  if (isAllEvents(events)) return 'All events'
  return events.length <= 2 ? events.join(', ') : `${events.length} events`
}

/** For a filter or the choice of a test: the groups, and the sample of a test. */
export const typeOptions = [
  { value: TEST_EVENT, label: TEST_EVENT },
  ...eventGroups.flatMap(({ label, events }) => events.map(({ name }) => ({ value: name, label: name, group: label }))),
]

export const isEventType = (value: string): value is WebhookEventType => typeOptions.some((one) => one.value === value)

export const statusOptions = [
  { value: '', label: 'All outcomes' },
  { value: 'success', label: 'Delivered' },
  { value: 'failed', label: 'Failed' },
  { value: 'pending', label: 'Waiting' },
  { value: 'attempting', label: 'Sending' },
]

type Outcome = { tone: Tone; label: string }

/** How the delivery of an event stands, in a word or two. */
export const describeOutcome = (event: Pick<WebhookEventItem, 'status' | 'attempts' | 'response_status'>): Outcome => {
  const answer = event.response_status === null ? '' : ` · ${event.response_status}`
  if (event.status === 'success') return { tone: 'live', label: `Delivered${answer}` }
  if (event.status === 'failed') return { tone: 'failed', label: `Failed${answer}` }
  if (event.status === 'attempting') return { tone: 'accent', label: 'Sending' }
  if (event.attempts === 0) return { tone: 'scheduled', label: 'Waiting' }
  return { tone: 'draft', label: `Retrying${answer}` }
}

/** How an endpoint does. */
export const describeEndpoint = (webhook: Pick<Webhook, 'status' | 'disabled_reason' | 'failing_since'>): Outcome => {
  if (webhook.status === 'disabled')
    return webhook.disabled_reason === 'owner' || webhook.disabled_reason === null
      ? { tone: 'neutral', label: 'Off' }
      : { tone: 'failed', label: 'Off after failures' }
  return webhook.failing_since === null ? { tone: 'live', label: 'On' } : { tone: 'draft', label: 'Failing' }
}

const reasons = {
  owner: 'It was switched off here.',
  gone: 'The receiver answered 410 Gone, so it was switched off.',
  failing: 'Nothing was delivered for five days, so it was switched off.',
} as const

export const describeDisabled = (reason: Webhook['disabled_reason']): string => reasons[reason ?? 'owner']

type Ordered = Pick<
  Webhook,
  'description' | 'endpoint' | 'status' | 'disabled_reason' | 'failing_since' | 'last_success_at'
>

/** Compares endpoints by what a column of their list shows. */
export const orderOf = ({ by, direction }: Sort): ((a: Ordered, b: Ordered) => number) => {
  const shown = (webhook: Ordered): string => {
    if (by === 'state') return describeEndpoint(webhook).label
    return by === 'success' ? (webhook.last_success_at ?? '') : nameOf(webhook)
  }
  const sign = direction === 'asc' ? 1 : -1
  return (a, b) => sign * shown(a).localeCompare(shown(b), undefined, { numeric: true })
}

/** How long after the attempt before it each one comes. */
export const RETRIES = ['At once', '5 seconds', '5 minutes', '30 minutes', '2 hours', '5 hours', '10 hours', '10 hours']

/** An address in a few words: what it is for, or its host. */
export const nameOf = ({ description, endpoint }: Pick<Webhook, 'description' | 'endpoint'>): string =>
  description ?? hostOf(endpoint)

const hostOf = (endpoint: string): string => URL.parse(endpoint)?.host ?? endpoint
