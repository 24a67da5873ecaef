import type { List } from '@stoa/mail-model/list.ts'
import type { QueueHold, QueueItem } from '@stoa/mail-model/queue.ts'
import { queryOptions } from '@tanstack/react-query'
import { ALL, sendSignedIn } from '../api.ts'

export const QUEUE = ['queue'] as const
const ITEMS_PER_PAGE = 25
/** Mail leaves and comes by itself. */
const REFRESH_MS = 5_000

export type QueueFilter = {
  search: string
  domain: string
  state: string
  account_id: string
  sort: string
  direction: string
}

export const queueQuery = (filter: QueueFilter, page: number) =>
  queryOptions({
    queryKey: [...QUEUE, 'items', filter, page],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''))
      query.set('page', String(page))
      query.set('per_page', String(ITEMS_PER_PAGE))
      return sendSignedIn<List<QueueItem>>('GET', `/api/instance/queue?${query}`, { signal })
    },
    refetchInterval: REFRESH_MS,
    placeholderData: (before) => before,
  })

export const holdsQuery = queryOptions({
  queryKey: [...QUEUE, 'holds'],
  queryFn: ({ signal }) => sendSignedIn<List<QueueHold>>('GET', `/api/instance/queue/holds?${ALL}`, { signal }),
})

const pathOf = (id: string) => `/api/instance/queue/${encodeURIComponent(id)}`

export const retryItem = (id: string) => sendSignedIn<QueueItem>('POST', `${pathOf(id)}/retry`, { body: {} })

export const dropItem = (id: string) => sendSignedIn<unknown>('DELETE', pathOf(id))

export const addHold = (body: { domain: string; reason: string | null }) =>
  sendSignedIn<QueueHold>('POST', '/api/instance/queue/holds', { body })

export const removeHold = (id: string) =>
  sendSignedIn<unknown>('DELETE', `/api/instance/queue/holds/${encodeURIComponent(id)}`)
