import type { ApiKey, ApiKeyPermission, CreatedApiKey } from '@stoa/mail-model/api-keys.ts'
import type { List } from '@stoa/mail-model/list.ts'
import { queryOptions } from '@tanstack/react-query'
import { ALL, sendSignedIn } from '../api.ts'

export const API_KEYS = ['api-keys'] as const
const API_KEYS_PER_PAGE = 25

type ApiKeysFilter = { page: number; search: string; sort: string; direction: string }

export const apiKeysQuery = ({ page, ...filter }: ApiKeysFilter) =>
  queryOptions({
    queryKey: [...API_KEYS, 'list', { page, ...filter }],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ page: String(page), per_page: String(API_KEYS_PER_PAGE), ...filter })
      return sendSignedIn<List<ApiKey>>('GET', `/api/api-keys?${query}`, { signal })
    },
    placeholderData: (before) => before,
  })

/** The keys by name, for what was sent with them. */
export const apiKeyNamesQuery = queryOptions({
  queryKey: [...API_KEYS, 'names'],
  queryFn: ({ signal }) => sendSignedIn<List<ApiKey>>('GET', `/api/api-keys?${ALL}`, { signal }),
})

type NewApiKey = { name: string; permission: ApiKeyPermission; domain_id?: string }

export const createApiKey = (body: NewApiKey) => sendSignedIn<CreatedApiKey>('POST', '/api/api-keys', { body })

export const revokeApiKey = (id: string) => sendSignedIn<unknown>('DELETE', `/api/api-keys/${encodeURIComponent(id)}`)
