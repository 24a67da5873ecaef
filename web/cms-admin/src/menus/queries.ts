import type { List } from '@stoa/cms-model/lists.ts'
import type { CreateMenuInput, Menu, MenuItem } from '@stoa/cms-model/menus.ts'
import type { SearchResults } from '@stoa/cms-model/search.ts'
import { messageOf, ProblemError } from '@stoa/ui/request/problem.ts'
import { queryOptions } from '@tanstack/react-query'
import { ALL, hasCode, ifMatch, sendSignedIn } from '../api.ts'

/** All menus with their items. */
export const menusQuery = queryOptions({
  queryKey: ['menus'],
  queryFn: ({ signal }) => sendSignedIn<List<Menu>>('GET', `/api/menus?${ALL}`, { signal }),
})

const pathOf = (name: string) => `/api/menus/${encodeURIComponent(name)}`

export const readMenu = (name: string) => sendSignedIn<Menu>('GET', pathOf(name))

export const createMenu = (body: CreateMenuInput) =>
  sendSignedIn<Menu>('POST', '/api/menus', { body }).catch((error: unknown) => {
    if (!hasCode(error, 'NAME_TAKEN')) throw error
    throw new ProblemError(messageOf(error), [{ key: 'name', message: messageOf(error) }])
  })

export type MenuChanges = { label?: string; items?: readonly MenuItem[] }

export const updateMenu = (name: string, body: MenuChanges, version: number | 'any') =>
  sendSignedIn<Menu>('PUT', pathOf(name), { body, headers: ifMatch(version) })

export const deleteMenu = (name: string) => sendSignedIn<undefined>('DELETE', pathOf(name), { body: {} })

export type FoundEntry = SearchResults['entries'][number]

/** Entries of all types, the best matches first. */
export const entrySearchQuery = (q: string) =>
  queryOptions({
    queryKey: ['entries', 'search', q],
    queryFn: ({ signal }) =>
      sendSignedIn<SearchResults>('GET', `/api/search?${new URLSearchParams({ q, kinds: 'entry', limit: '20' })}`, {
        signal,
      }),
    enabled: q.trim() !== '',
    placeholderData: (before) => before,
  })
