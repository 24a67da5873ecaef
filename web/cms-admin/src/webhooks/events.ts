import type { Delivery, Webhook, WebhookEvent } from '@stoa/cms-model/webhooks.ts'

/** In the place of event names: all of them, also those that come later. */
export const ALL_EVENTS = '*'

type EventGroup = { label: string; events: readonly { name: WebhookEvent; label: string }[] }

const group = (label: string, ...names: WebhookEvent[]): EventGroup => ({
  label,
  events: names.map((name) => ({ name, label: labelOf(name) })),
})

/** `entry.published` is "Published". */
const labelOf = (event: string): string => {
  const word = event.split('.').at(-1) ?? event
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** The events in the groups that people think in. A test is always sent, and not chosen. */
export const eventGroups: readonly EventGroup[] = [
  group(
    'Entries',
    'entry.created',
    'entry.updated',
    'entry.published',
    'entry.unpublished',
    'entry.deleted',
    'entry.restored',
    'entry.scheduled',
  ),
  group('Media', 'media.created', 'media.updated', 'media.deleted'),
  group('Content types', 'type.created', 'type.updated', 'type.deleted'),
  group('Social posts', 'social.post.posted', 'social.post.partial', 'social.post.failed'),
  group('Menus', 'menu.updated', 'menu.deleted'),
  group('Taxonomies', 'taxonomy.updated'),
  group('Settings', 'settings.updated'),
]

export const isAllEvents = (events: readonly string[]): boolean => events.includes(ALL_EVENTS)

/** Events in a cell: "All events", the names of two, or a count. */
export const describeEvents = (events: readonly string[]): string => {
  if (isAllEvents(events)) return 'All events'
  return events.length <= 2 ? events.join(', ') : `${events.length} events`
}

type Outcome = { tone: 'live' | 'failed' | 'scheduled' | 'neutral'; label: string }

/** How a delivery stands, in a word or two. */
export const describeOutcome = (
  delivery: Pick<Delivery, 'status' | 'responseStatus' | 'error'> & { attempts: number },
): Outcome => {
  const answer = delivery.responseStatus === null ? '' : ` · ${delivery.responseStatus}`
  if (delivery.status === 'success') return { tone: 'live', label: `Delivered${answer}` }
  if (delivery.status === 'failed') return { tone: 'failed', label: `Failed${answer}` }
  if (delivery.status === 'attempting') return { tone: 'scheduled', label: 'Sending' }
  if (delivery.attempts === 0) return { tone: 'scheduled', label: 'Waiting' }
  return { tone: 'scheduled', label: `Retrying${answer}` }
}

const reasons = {
  owner: 'It was switched off here.',
  gone: 'The receiver answered 410 Gone, so it was switched off.',
  failing: 'Too many events failed in a row, so it was switched off.',
} as const

export const describeDisabled = (reason: Webhook['disabledReason']): string => reasons[reason ?? 'owner']
