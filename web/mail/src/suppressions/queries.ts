import type { List } from '@stoa/mail-model/list.ts'
import type { Suppression, SuppressionImport } from '@stoa/mail-model/suppressions.ts'
import { queryOptions } from '@tanstack/react-query'
import { ALL, sendSignedIn } from '../api.ts'

export const SUPPRESSIONS = ['suppressions'] as const
const SUPPRESSIONS_PER_PAGE = 25

export type SuppressionsFilter = { search: string; origin: string; sort: string; direction: string }

const wordsOf = (filter: SuppressionsFilter): URLSearchParams =>
  new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''))

export const suppressionsQuery = (filter: SuppressionsFilter, page: number) =>
  queryOptions({
    queryKey: [...SUPPRESSIONS, 'list', filter, page],
    queryFn: ({ signal }) => {
      const query = wordsOf(filter)
      query.set('page', String(page))
      query.set('per_page', String(SUPPRESSIONS_PER_PAGE))
      return sendSignedIn<List<Suppression>>('GET', `/api/suppressions?${query}`, { signal })
    },
    placeholderData: (before) => before,
  })

/** A large page, for the export. */
export const readSuppressions = (filter: SuppressionsFilter, page: number) =>
  sendSignedIn<List<Suppression>>('GET', `/api/suppressions?${wordsOf(filter)}&page=${page}&${ALL}`)

const pathOf = (id: string) => `/api/suppressions/${encodeURIComponent(id)}`

type SuppressionChange = { reason?: string | null; expires_at?: string | null }

export const addSuppression = (body: SuppressionChange & { email: string }) =>
  sendSignedIn<Suppression>('POST', '/api/suppressions', { body })

export const changeSuppression = (id: string, body: SuppressionChange) =>
  sendSignedIn<Suppression>('PATCH', pathOf(id), { body })

export const removeSuppression = (id: string) => sendSignedIn<unknown>('DELETE', pathOf(id))

export const importSuppressions = (csv: string) =>
  sendSignedIn<SuppressionImport>('POST', '/api/suppressions/import', { body: new Blob([csv], { type: 'text/csv' }) })
