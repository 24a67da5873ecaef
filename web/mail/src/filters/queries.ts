import type { Filter, FilterValidation } from '@stoa/mail-model/filters.ts'
import type { List } from '@stoa/mail-model/list.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { sendSignedIn } from '../api.ts'
import type { FilterApi, FilterBody } from './filter-form.tsx'

/** Every query about filters begins with this. */
export const FILTERS = ['filters'] as const

const FILTERS_PER_PAGE = 100

/** One page of filters in the order of their places. */
export const filtersQuery = ({ page, search }: { page: number; search: string }) =>
  queryOptions({
    queryKey: [...FILTERS, 'list', { page, search }],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ page: String(page), per_page: String(FILTERS_PER_PAGE) })
      if (search !== '') query.set('search', search)
      return sendSignedIn<List<Filter>>('GET', `/api/filters?${query}`, { signal })
    },
    placeholderData: keepPreviousData,
  })

export const filterQuery = (id: string) =>
  queryOptions({
    queryKey: [...FILTERS, 'one', id],
    queryFn: ({ signal }) => sendSignedIn<Filter>('GET', pathOf(id), { signal }),
  })

export type FilterChanges = Partial<FilterBody> & { position?: number }

export const updateFilter = (id: string, body: FilterChanges) => sendSignedIn<Filter>('PATCH', pathOf(id), { body })

export const deleteFilter = (id: string) => sendSignedIn<unknown>('DELETE', pathOf(id))

/** The filters of the account. */
export const panelFilters: FilterApi = {
  validate: (script, signal) =>
    sendSignedIn<FilterValidation>('POST', '/api/filters/validate', { body: { script }, signal }),
  read: (id) => sendSignedIn<Filter>('GET', pathOf(id)),
  create: (body) => sendSignedIn<Filter>('POST', '/api/filters', { body }),
  update: updateFilter,
}

const pathOf = (id: string): string => `/api/filters/${encodeURIComponent(id)}`
