import type { List } from '@stoa/mail-model/list.ts'
import type { WebhookEventType } from '@stoa/mail-model/webhook-events.ts'
import type {
  Webhook,
  WebhookEventDetail,
  WebhookEventItem,
  WebhookTest,
  WebhookWithSecret,
} from '@stoa/mail-model/webhooks.ts'
import { queryOptions } from '@tanstack/react-query'
import { ALL, sendSignedIn } from '../api.ts'

/** The list of endpoints, and below it everything about them: events of the service refresh all of it. */
export const WEBHOOKS = ['webhooks'] as const
const EVENTS_PER_PAGE = 25

/** An account has a hundred at most. */
export const webhooksQuery = queryOptions({
  queryKey: [...WEBHOOKS, 'all'],
  queryFn: ({ signal }) => sendSignedIn<List<Webhook>>('GET', `/api/webhooks?${ALL}`, { signal }),
})

const pathOf = (id: string) => `/api/webhooks/${encodeURIComponent(id)}`
const eventPath = (id: string, eventId: string) => `${pathOf(id)}/events/${encodeURIComponent(eventId)}`

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: [...WEBHOOKS, 'one', id],
    queryFn: ({ signal }) => sendSignedIn<Webhook>('GET', pathOf(id), { signal }),
  })

export type EventsFilter = { type: string; status: string; sort: string; direction: string }

const eventsPath = (webhookId: string | undefined, filter: EventsFilter, page: number, size: number): string => {
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''))
  query.set('page', String(page))
  query.set('per_page', String(size))
  return `${webhookId === undefined ? '/api/webhooks' : pathOf(webhookId)}/events?${query}`
}

/** Events of one endpoint, or of all endpoints. */
export const eventsQuery = (webhookId: string | undefined, filter: EventsFilter, page: number) =>
  queryOptions({
    queryKey: [...WEBHOOKS, 'events', webhookId ?? 'all', filter, page],
    queryFn: ({ signal }) =>
      sendSignedIn<List<WebhookEventItem>>('GET', eventsPath(webhookId, filter, page, EVENTS_PER_PAGE), { signal }),
    placeholderData: (before) => before,
  })

/** More at once would take minutes; the rest is still there to be replayed. */
const MAX_REPLAYED_PAGES = 10

/** Everything that failed, read when it is to be sent again. */
export const failedEventsQuery = (webhookId: string | undefined, filter: EventsFilter) =>
  queryOptions({
    // Outside of the others: what is sent again does not fail any more, and the list is worked through as it was
    queryKey: ['webhook-replay', webhookId ?? 'all', filter],
    queryFn: async () => {
      const read = (page: number) =>
        sendSignedIn<List<WebhookEventItem>>('GET', eventsPath(webhookId, { ...filter, status: 'failed' }, page, 100))
      const first = await read(1)
      const events = [...first.data]
      for (let page = 2; page <= Math.min(first.pages, MAX_REPLAYED_PAGES); page += 1)
        events.push(...(await read(page)).data)
      return events
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

export const eventQuery = (webhookId: string, eventId: string) =>
  queryOptions({
    queryKey: [...WEBHOOKS, 'event', eventId],
    queryFn: ({ signal }) => sendSignedIn<WebhookEventDetail>('GET', eventPath(webhookId, eventId), { signal }),
  })

type WebhookBody = { endpoint: string; events: readonly WebhookEventType[]; description: string | null }

export const createWebhook = (body: WebhookBody) => sendSignedIn<WebhookWithSecret>('POST', '/api/webhooks', { body })

export const updateWebhook = (id: string, body: Partial<WebhookBody> & { status?: Webhook['status'] }) =>
  sendSignedIn<Webhook>('PATCH', pathOf(id), { body })

export const deleteWebhook = (id: string) => sendSignedIn<unknown>('DELETE', pathOf(id))

export const rotateWebhook = (id: string) => sendSignedIn<{ signing_secret: string }>('POST', `${pathOf(id)}/rotate`)

export const testWebhook = (id: string, type: WebhookEventType) =>
  sendSignedIn<WebhookTest>('POST', `${pathOf(id)}/test`, { body: { type } })

export const replayEvent = ({ webhook_id: webhookId, id }: Pick<WebhookEventItem, 'webhook_id' | 'id'>) =>
  sendSignedIn<WebhookEventItem>('POST', `${eventPath(webhookId, id)}/replay`)
