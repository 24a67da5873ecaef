import type { WebhookEvent } from '@stoa/cms-model/webhooks.ts'
import type { EventGroup } from '@stoa/ui/webhooks/event-choice.tsx'

/** In the place of event names: all of them, also those that come later. */
export const ALL_EVENTS: readonly string[] = ['*']

const group = (label: string, ...names: WebhookEvent[]): EventGroup<WebhookEvent> => ({
  label,
  events: names.map((name) => ({ name, label: labelOf(name) })),
})

/** `entry.published` is "Published". */
const labelOf = (event: string): string => {
  const word = event.split('.').at(-1) ?? event
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** The events in the groups that people think in. A test is always sent, and not chosen. */
export const eventGroups: readonly EventGroup<WebhookEvent>[] = [
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
  group('Design', 'design.updated'),
]
