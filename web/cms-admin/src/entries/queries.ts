import type {
  BulkInput,
  BulkResults,
  Entry,
  EntryDiff,
  EntryFilter,
  EntryItem,
  EntryUse,
  RestoredEntry,
  Revision,
  RevisionItem,
  SaveMode,
  TrashedEntry,
} from '@stoa/cms-model/entries.ts'
import type { List } from '@stoa/cms-model/lists.ts'
import type { PreviewLink } from '@stoa/cms-model/preview.ts'
import type { TermReference } from '@stoa/cms-model/taxonomies.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { ALL, ifMatch, sendSignedIn } from '../api.ts'
import { createBatch } from '../batch.ts'

/** The common prefix of all entry lists' query keys: one change may affect any of them. */
export const entriesKey = ['entries'] as const

/** The version that a write is meant for, or whatever is there. */
export type Wanted = number | 'any'

export type EntriesFilter = {
  type?: string
  status?: EntryFilter
  q?: string
  /** Slugs of terms, `taxonomy:slug`, separated by commas. */
  term?: string
  /** An account, or `me`. */
  author?: string
  locale?: string
  /** Separated by commas. */
  ids?: string
  /** The entry of this id and its translations. */
  translationOf?: string
  sort?: string
  /** Conditions on fields: `filter[price][gte]`. */
  own?: Readonly<Record<string, string>>
  page?: number
  limit?: number
}

/** Entries outside of the trash; what is empty in the filter is not asked for. */
export const entriesQuery = (filter: EntriesFilter) =>
  queryOptions({
    queryKey: [...entriesKey, filter],
    queryFn: ({ signal }) => listEntries(filter, signal),
    placeholderData: (before) => before,
  })

export const listEntries = ({ own, ...filter }: EntriesFilter, signal?: AbortSignal) =>
  sendSignedIn<List<EntryItem>>('GET', `/api/entries?${searchOf({ ...filter, ...own })}`, { signal })

/** Page after page of the same list. */
export const entryPagesQuery = (filter: Omit<EntriesFilter, 'page'>) =>
  infiniteQueryOptions({
    queryKey: [...entriesKey, 'pages', filter],
    queryFn: ({ pageParam, signal }) => listEntries({ ...filter, page: pageParam }, signal),
    initialPageParam: 1,
    getNextPageParam: ({ meta }) => (meta.page < meta.pages ? meta.page + 1 : undefined),
    placeholderData: (before) => before,
  })

const pathOf = (id: string) => `/api/entries/${encodeURIComponent(id)}`
const revisionPath = (id: string, revision: string) => `${pathOf(id)}/revisions/${encodeURIComponent(revision)}`

/** One entry with what is live of it. */
export const entryQuery = (id: string) =>
  queryOptions({
    queryKey: ['entry', id],
    queryFn: ({ signal }) => readEntry(id, signal),
  })

export const readEntry = (id: string, signal?: AbortSignal) => sendSignedIn<Entry>('GET', pathOf(id), { signal })

/** The largest page of a list. */
const PAGE = 100

const loadItem = createBatch<EntryItem>({
  many: async (ids) => (await listEntries({ ids: ids.join(','), limit: PAGE })).items,
  one: readEntry,
})

/** The title and status of one entry; requests for many entries are batched. */
export const entryItemQuery = (id: string) =>
  queryOptions({ queryKey: ['entry', id, 'item'], queryFn: () => loadItem(id) })

/** A loose check for slugs: any other text in a slug field would break the request. */
const SLUG = /^[a-z0-9-]{1,200}$/

/** Slugs are long: more of them make an address that servers refuse. */
const SLUGS_AT_ONCE = 50

/** The entries of a type that have one of these slugs. */
export const entriesBySlugQuery = (type: string, slugs: readonly string[]) => {
  const asked = [...new Set(slugs)].filter((text) => SLUG.test(text)).sort()
  const groups = Array.from({ length: Math.ceil(asked.length / SLUGS_AT_ONCE) }, (_, index) =>
    asked.slice(index * SLUGS_AT_ONCE, (index + 1) * SLUGS_AT_ONCE),
  )
  return queryOptions({
    queryKey: [...entriesKey, 'slugs', type, asked],
    queryFn: async ({ signal }) => {
      const found = groups.map((group) =>
        listEntries({ type, own: { 'filter[slug][in]': group.join(',') }, limit: PAGE }, signal),
      )
      return (await Promise.all(found)).flatMap(({ items }) => items)
    },
    placeholderData: (before) => before,
  })
}

/** The entry that others are translations of, and all of these. */
export const translationsQuery = ({ id, translationOf }: Pick<Entry, 'id' | 'translationOf'>) => {
  const origin = translationOf ?? id
  return queryOptions({
    queryKey: [...entriesKey, 'translations', origin],
    queryFn: async ({ signal }) => (await listEntries({ translationOf: origin, limit: PAGE }, signal)).items,
  })
}

/** The menus and other entries that lead to an entry. */
export const entryUsesQuery = (id: string) =>
  queryOptions({
    queryKey: [...entriesKey, 'uses', id],
    queryFn: ({ signal }) => sendSignedIn<List<EntryUse>>('GET', `${pathOf(id)}/usage?${ALL}`, { signal }),
    // A menu may have changed: what is read before something is deleted is read then
    staleTime: 0,
  })

export type NewEntry = {
  type: string
  title?: string
  slug?: string
  data?: Record<string, unknown>
  locale?: string
  translationOf?: string | null
  authorId?: string
  terms?: TermReference[]
}

/** A new draft. */
export const createEntry = (body: NewEntry) => sendSignedIn<Entry>('POST', '/api/entries', { body })

export type EntryChanges = {
  title?: string
  slug?: string
  /** Only the keys sent change; null clears one. */
  data?: Record<string, unknown>
  locale?: string
  authorId?: string
  mode?: SaveMode
  autosave?: boolean
}

export const updateEntry = (id: string, body: EntryChanges, version: Wanted) =>
  sendSignedIn<Entry>('PUT', pathOf(id), { body, headers: ifMatch(version) })

export type StatusAction = 'publish' | 'unpublish' | 'draft'

/** Another status at once. */
export const changeStatus = (id: string, action: StatusAction, version: Wanted) =>
  sendSignedIn<Entry>('POST', `${pathOf(id)}/status`, { body: { action }, headers: ifMatch(version) })

/** Another status at that time (ISO); null takes the time back. */
export const scheduleEntry = (id: string, action: 'publish' | 'unpublish', at: string | null, version: Wanted) =>
  sendSignedIn<Entry>('POST', `${pathOf(id)}/status`, { body: { action, at }, headers: ifMatch(version) })

/** The terms that the entry has of one taxonomy, by slug. */
export const setEntryTerms = (id: string, taxonomy: string, terms: readonly string[], version: Wanted) =>
  sendSignedIn<Entry>('PUT', `${pathOf(id)}/terms`, { body: { taxonomy, terms }, headers: ifMatch(version) })

/** Throws the unpublished changes away. */
export const discardPending = (id: string, version: Wanted) =>
  sendSignedIn<Entry>('DELETE', `${pathOf(id)}/pending`, { body: {}, headers: ifMatch(version) })

export const duplicateEntry = (id: string) => sendSignedIn<Entry>('POST', `${pathOf(id)}/duplicate`)

export const trashEntry = (id: string, version: Wanted) =>
  sendSignedIn<undefined>('DELETE', pathOf(id), { body: {}, headers: ifMatch(version) })

/** Out of the trash as a draft, with another slug if its own was taken meanwhile. */
export const restoreEntry = (id: string, slug?: string) =>
  sendSignedIn<RestoredEntry>('POST', `${pathOf(id)}/restore`, { body: slug === undefined ? {} : { slug } })

export type PreviewChanges = { title?: string; slug?: string; data?: Record<string, unknown>; replaces?: string }

/** A link that shows the entry with these unsaved changes; `url` is null without an address template. */
export const previewEntry = (id: string, body: PreviewChanges) =>
  sendSignedIn<PreviewLink>('POST', `${pathOf(id)}/preview`, { body })

/** Applies one change to up to 100 entries, with a result for each. */
export const changeEntries = (body: BulkInput) => sendSignedIn<BulkResults>('POST', '/api/entries/bulk', { body })

/** The history of an entry, the newest first. */
export const revisionsQuery = (id: string, page: number, limit = 25) =>
  queryOptions({
    queryKey: ['entry', id, 'revisions', { page, limit }],
    queryFn: ({ signal }) =>
      sendSignedIn<List<RevisionItem>>('GET', `${pathOf(id)}/revisions?${searchOf({ page, limit })}`, { signal }),
    placeholderData: (before) => before,
  })

export const revisionQuery = (id: string, revision: string) =>
  queryOptions({
    queryKey: ['entry', id, 'revisions', revision],
    queryFn: ({ signal }) => sendSignedIn<Revision>('GET', revisionPath(id, revision), { signal }),
  })

/** The differences between a revision and another one, or the current working copy. */
export const diffQuery = (id: string, revision: string, against = 'current') =>
  queryOptions({
    queryKey: ['entry', id, 'revisions', revision, 'diff', against],
    queryFn: ({ signal }) =>
      sendSignedIn<EntryDiff>('GET', `${revisionPath(id, revision)}/diff?${searchOf({ against })}`, { signal }),
  })

export type RevisionRestore = {
  /** `title`, `slug` and `data.key`; everything, if absent. */
  keys?: string[]
  mode?: SaveMode
}

export const restoreRevision = (id: string, revision: string, body: RevisionRestore, version: Wanted) =>
  sendSignedIn<Entry>('POST', `${revisionPath(id, revision)}/restore`, { body, headers: ifMatch(version) })

export type TrashFilter = { type?: string; q?: string; page?: number; limit?: number }

/** The prefix of all trash lists' query keys; entries move between the trash and the lists. */
const trashKey = [...entriesKey, 'trash'] as const

export const trashQuery = (filter: TrashFilter) =>
  queryOptions({
    queryKey: [...trashKey, filter],
    queryFn: ({ signal }) => sendSignedIn<List<TrashedEntry>>('GET', `/api/trash?${searchOf(filter)}`, { signal }),
    placeholderData: (before) => before,
  })

/** Removes one entry of the trash for good. */
export const purgeEntry = (id: string) => sendSignedIn<undefined>('DELETE', `/api/trash/${encodeURIComponent(id)}`)

/** Removes everything in the trash for good. */
export const emptyTrash = () => sendSignedIn<undefined>('DELETE', '/api/trash')

const searchOf = (members: Record<string, string | number | undefined>): URLSearchParams => {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(members))
    if (value !== undefined && value !== '') search.set(name, String(value))
  return search
}
