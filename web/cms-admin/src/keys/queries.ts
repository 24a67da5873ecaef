import type { CreateDeliveryKeyInput, DeliveryKey, UpdateDeliveryKeyInput } from '@stoa/cms-model/keys.ts'
import type { List } from '@stoa/cms-model/lists.ts'
import { queryOptions } from '@tanstack/react-query'
import { ALL, ifMatch, sendSignedIn } from '../api.ts'

export type MintedKey = DeliveryKey & { key: string }

export const keysQuery = queryOptions({
  queryKey: ['delivery-keys'],
  queryFn: ({ signal }) => sendSignedIn<List<DeliveryKey>>('GET', `/api/delivery-keys?${ALL}`, { signal }),
})

const pathOf = (id: string) => `/api/delivery-keys/${encodeURIComponent(id)}`

export const mintKey = (body: CreateDeliveryKeyInput) => sendSignedIn<MintedKey>('POST', '/api/delivery-keys', { body })

export const readKey = (id: string) => sendSignedIn<DeliveryKey>('GET', pathOf(id))

export const updateKey = (id: string, body: UpdateDeliveryKeyInput, version: number | 'any') =>
  sendSignedIn<DeliveryKey>('PUT', pathOf(id), { body, headers: ifMatch(version) })

export const revokeKey = (id: string) => sendSignedIn<undefined>('DELETE', pathOf(id), { body: {} })
