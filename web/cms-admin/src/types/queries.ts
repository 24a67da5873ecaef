import type { ContentType, ContentTypeInput, UpdateContentTypeInput } from '@stoa/cms-model/content-types.ts'
import type { FieldType } from '@stoa/cms-model/fields/types/index.ts'
import type { List } from '@stoa/cms-model/lists.ts'
import { messageOf, ProblemError } from '@stoa/ui/request/problem.ts'
import { queryOptions } from '@tanstack/react-query'
import { ALL, hasCode, ifMatch, sendSignedIn } from '../api.ts'

/** The content types of the site. */
export const typesQuery = queryOptions({
  queryKey: ['types'],
  queryFn: ({ signal }) => sendSignedIn<List<ContentType>>('GET', `/api/types?${ALL}`, { signal }),
})

export type TypesFilter = { q: string; sort: string; page: number }

/** One page of the content types, searched and sorted. */
export const typesPageQuery = ({ q, sort, page }: TypesFilter) =>
  queryOptions({
    queryKey: ['types', { q, sort, page }],
    queryFn: ({ signal }) =>
      sendSignedIn<List<ContentType>>(
        'GET',
        `/api/types?${new URLSearchParams({ ...(q === '' ? {} : { q }), sort, page: String(page), limit: '50' })}`,
        { signal },
      ),
    placeholderData: (before) => before,
  })

const pathOf = (name: string) => `/api/types/${encodeURIComponent(name)}`

export const readType = (name: string, signal?: AbortSignal) =>
  sendSignedIn<ContentType>('GET', pathOf(name), { signal })

export const typeQuery = (name: string) =>
  queryOptions({ queryKey: ['types', name], queryFn: ({ signal }) => readType(name, signal) })

export const createType = (body: ContentTypeInput) =>
  sendSignedIn<ContentType>('POST', '/api/types', { body }).catch((error: unknown) => {
    if (!hasCode(error, 'NAME_TAKEN')) throw error
    throw new ProblemError(messageOf(error), [{ key: 'name', message: messageOf(error) }])
  })

export const updateType = (name: string, body: UpdateContentTypeInput, version: number | 'any') =>
  sendSignedIn<ContentType>('PUT', pathOf(name), { body, headers: ifMatch(version) })

/** The effects of an update on existing entries, each with a count of entries. */
export type TypeTrial = {
  /** Something under a key that the change puts out of sight, or makes wrong. */
  affected: { key: string; count: number }[]
  /** Values that get another type. */
  converted: { key: string; from: FieldType; to: FieldType; count: number; lost: number }[]
  /** Values that get another key. */
  renamed?: { from: string; to: string; count: number }[]
}

/** A dry run of an update: reports its effects on existing entries and saves nothing. */
export const tryUpdateType = (name: string, body: UpdateContentTypeInput) =>
  sendSignedIn<TypeTrial>('PUT', `${pathOf(name)}?dryRun=1`, { body, headers: ifMatch('any') })

export const deleteType = (name: string) => sendSignedIn<undefined>('DELETE', pathOf(name), { body: {} })
