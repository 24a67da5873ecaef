import type { List } from '@stoa/mail-model/list.ts'
import type { Destination, Transfer, TransferSecurity } from '@stoa/mail-model/transfers.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { ALL, sendSignedIn } from '../api.ts'
import { isActive } from './progress.ts'

/** Every query about transfers begins with this; the event stream of the panel refreshes them. */
export const TRANSFERS = ['transfers'] as const

/** A copy under way is looked at again, for the counts between two events. */
const REFRESH_MS = 2000

export type TransferListFilter = { page: number; perPage: number; search: string; sort: string; direction: string }

export const transfersQuery = (filter: TransferListFilter) =>
  queryOptions({
    queryKey: [...TRANSFERS, 'list', filter],
    queryFn: ({ signal }) => {
      const { page, perPage, search, sort, direction } = filter
      const query = new URLSearchParams({ page: String(page), per_page: String(perPage), sort, direction })
      if (search !== '') query.set('search', search)
      return sendSignedIn<List<Transfer>>('GET', `/api/transfers?${query}`, { signal })
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some(isActive) ? REFRESH_MS : false),
  })

export const transferQuery = (id: string) =>
  queryOptions({
    queryKey: [...TRANSFERS, 'one', id],
    queryFn: ({ signal }) => sendSignedIn<Transfer>('GET', pathOf(id), { signal }),
    refetchInterval: ({ state }) => (state.data && isActive(state.data) ? REFRESH_MS : false),
  })

/** Addresses that mail can be copied into now. */
export const destinationsQuery = (search: string) =>
  queryOptions({
    queryKey: [...TRANSFERS, 'destinations', search],
    queryFn: ({ signal }) => {
      const narrowed = search === '' ? '' : `&${new URLSearchParams({ search })}`
      return sendSignedIn<List<Destination>>('GET', `/api/transfers/destinations?${ALL}${narrowed}`, { signal })
    },
    placeholderData: keepPreviousData,
  })

export type NewTransfer = {
  address_id: string
  host: string
  port: number
  security: TransferSecurity
  username: string
  password: string
  folders: readonly string[] | null
  exclude_folders: readonly string[]
  since: string | null
}

export const createTransfer = (body: NewTransfer) => sendSignedIn<Transfer>('POST', '/api/transfers', { body })

export const cancelTransfer = (id: string) => sendSignedIn<Transfer>('DELETE', pathOf(id))

const pathOf = (id: string): string => `/api/transfers/${encodeURIComponent(id)}`
