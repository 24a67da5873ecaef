import type { List } from '@stoa/cms-model/lists.ts'
import type {
  CreateWebhookInput,
  Delivery,
  DeliveryDetail,
  UpdateWebhookInput,
  Webhook,
  WebhookTest,
  WebhookWithSecret,
} from '@stoa/cms-model/webhooks.ts'
import { queryOptions } from '@tanstack/react-query'
import { ALL, ifMatch, sendSignedIn } from '../api.ts'

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: ({ signal }) => sendSignedIn<List<Webhook>>('GET', `/api/webhooks?${ALL}`, { signal }),
})

const pathOf = (id: string) => `/api/webhooks/${encodeURIComponent(id)}`
const deliveryPath = (id: string, deliveryId: string) => `${pathOf(id)}/deliveries/${encodeURIComponent(deliveryId)}`

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', id],
    queryFn: ({ signal }) => sendSignedIn<Webhook>('GET', pathOf(id), { signal }),
  })

const DELIVERIES_PER_PAGE = 25
/** Attempts come while one looks: the log is polled. */
const LOG_REFRESH_MS = 5000

export const deliveriesQuery = (id: string, filter: { page: number; status: string }) =>
  queryOptions({
    queryKey: ['webhooks', id, 'deliveries', filter],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ page: String(filter.page), limit: String(DELIVERIES_PER_PAGE) })
      if (filter.status !== '') query.set('status', filter.status)
      return sendSignedIn<List<Delivery>>('GET', `${pathOf(id)}/deliveries?${query}`, { signal })
    },
    refetchInterval: LOG_REFRESH_MS,
    placeholderData: (before) => before,
  })

export const deliveryQuery = (id: string, deliveryId: string) =>
  queryOptions({
    queryKey: ['webhooks', id, 'delivery', deliveryId],
    queryFn: ({ signal }) => sendSignedIn<DeliveryDetail>('GET', deliveryPath(id, deliveryId), { signal }),
    staleTime: 0,
  })

export const readWebhook = (id: string) => sendSignedIn<Webhook>('GET', pathOf(id))
export const createWebhook = (body: CreateWebhookInput) =>
  sendSignedIn<WebhookWithSecret>('POST', '/api/webhooks', { body })
export const updateWebhook = (id: string, body: UpdateWebhookInput, version: number | 'any') =>
  sendSignedIn<Webhook>('PUT', pathOf(id), { body, headers: ifMatch(version) })
export const deleteWebhook = (id: string) => sendSignedIn<undefined>('DELETE', pathOf(id), { body: {} })
export const rotateWebhook = (id: string) =>
  sendSignedIn<WebhookWithSecret>('POST', `${pathOf(id)}/rotate`, { body: {} })
export const testWebhook = (id: string) => sendSignedIn<WebhookTest>('POST', `${pathOf(id)}/test`)
export const redeliver = (id: string, deliveryId: string) =>
  sendSignedIn<Delivery>('POST', `${deliveryPath(id, deliveryId)}/redeliver`)
