import {
  type WebhookEvent,
  webhookEventGroups,
  webhookEventNames,
  webhookEvents,
} from '@stoa/cms-model/webhook-events.ts'
import type { EventGroup } from '@stoa/ui/webhooks/event-choice.tsx'

/** In the place of event names: all of them, also those that come later. */
export const ALL_EVENTS: readonly string[] = ['*']

/** The events in the groups that people think in. A test is always sent, and not chosen. */
export const eventGroups: readonly EventGroup<WebhookEvent>[] = webhookEventGroups.map((group) => ({
  label: group,
  events: webhookEventNames
    .filter((name) => webhookEvents[name].group === group)
    .map((name) => ({ name, label: webhookEvents[name].label })),
}))
