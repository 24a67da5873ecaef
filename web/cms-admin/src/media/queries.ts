import type { List } from '@stoa/cms-model/lists.ts'
import type { MediaList, MediaRecord, MediaUse, UpdateMediaInput } from '@stoa/cms-model/media.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { ALL, ifMatch, sendSignedIn } from '../api.ts'
import { createBatch } from '../batch.ts'

export type { MediaList, MediaRecord, MediaUse } from '@stoa/cms-model/media.ts'
export type MediaFolder = { folder: string; count: number }

/** The filter of a list of files; an empty text does not filter. */
export type MediaFilter = {
  q?: string
  /** Exactly this folder; `NO_FOLDER` for files that are in none. */
  folder?: string
  /** A kind: `image`, `video`, `audio`, `document`. */
  type?: string
  missingAlt?: boolean
  unused?: boolean
  /** The id of the account that uploaded it. */
  createdBy?: string
  /** Days, such as `2026-03-01`. */
  from?: string
  to?: string
  sort?: string
  page?: number
  limit?: number
}

/** Stands for "in no folder" in addresses: no folder can be called so. */
export const NO_FOLDER = '/'

/** The common prefix of all media query keys. */
export const mediaKey = ['media'] as const

export const mediaListQuery = (filter: MediaFilter) =>
  queryOptions({
    queryKey: [...mediaKey, 'list', filter],
    queryFn: ({ signal }) => sendSignedIn<MediaList>('GET', `/api/media?${searchOf(filter)}`, { signal }),
    placeholderData: (before) => before,
  })

/** Page after page of the same list. */
export const mediaPagesQuery = (filter: Omit<MediaFilter, 'page'>) =>
  infiniteQueryOptions({
    queryKey: [...mediaKey, 'pages', filter],
    queryFn: ({ pageParam, signal }) =>
      sendSignedIn<MediaList>('GET', `/api/media?${searchOf({ ...filter, page: pageParam })}`, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ meta }) => (meta.page < meta.pages ? meta.page + 1 : undefined),
    placeholderData: (before) => before,
  })

/** One file; those that a screen shows at once are read together. */
export const mediaQuery = (id: string) =>
  queryOptions({
    queryKey: [...mediaKey, 'one', id],
    queryFn: () => loadMedia(id),
  })

export const foldersQuery = queryOptions({
  queryKey: [...mediaKey, 'folders'],
  queryFn: ({ signal }) => readFolders(signal),
})

/** How many pictures lack an alternative text. */
export const missingAltQuery = queryOptions({
  queryKey: [...mediaKey, 'missing-alt'],
  queryFn: async ({ signal }) =>
    (await sendSignedIn<MediaList>('GET', '/api/media?missingAlt=1&limit=1', { signal })).meta.total,
})

/** The largest file that the service takes, in bytes. */
export const uploadLimitQuery = queryOptions({
  queryKey: [...mediaKey, 'limit'],
  queryFn: async ({ signal }) =>
    (await sendSignedIn<MediaList>('GET', '/api/media?limit=1', { signal })).meta.maxUploadBytes,
  staleTime: Number.POSITIVE_INFINITY,
})

/** The places that use a file. */
export const usesQuery = (id: string) =>
  queryOptions({
    queryKey: [...mediaKey, 'uses', id],
    queryFn: ({ signal }) => sendSignedIn<List<MediaUse>>('GET', `${pathOf(id)}/usage?${ALL}`, { signal }),
  })

export const readMedia = (id: string, signal?: AbortSignal) => sendSignedIn<MediaRecord>('GET', pathOf(id), { signal })

const loadMedia = createBatch<MediaRecord>({
  many: async (ids) => (await sendSignedIn<MediaList>('GET', `/api/media?ids=${ids.join(',')}&${ALL}`)).items,
  one: readMedia,
})

/** Every file that is directly in one of these folders. */
export const filesInFolders = async (folders: readonly string[]): Promise<MediaRecord[]> => {
  const files: MediaRecord[] = []
  for (const folder of folders)
    for (let page = 1; ; page += 1) {
      const filter = { folder: folder === '' ? NO_FOLDER : folder, sort: 'filename', page, limit: 100 }
      const { items, meta } = await sendSignedIn<MediaList>('GET', `/api/media?${searchOf(filter)}`)
      files.push(...items)
      if (page >= meta.pages) break
    }
  return files
}

export const updateMedia = (id: string, body: UpdateMediaInput, version: number | 'any') =>
  sendSignedIn<MediaRecord>('PUT', pathOf(id), { body, headers: ifMatch(version) })

/** `force` also removes what is used somewhere. */
export const deleteMedia = (id: string, { version, force }: { version: number | 'any'; force: boolean }) =>
  sendSignedIn<undefined>('DELETE', `${pathOf(id)}${force ? '?force=1' : ''}`, { body: {}, headers: ifMatch(version) })

const pathOf = (id: string) => `/api/media/${encodeURIComponent(id)}`

/** Larger libraries show the folders of their first pages. */
const MAX_FOLDER_PAGES = 10

const readFolders = async (signal: AbortSignal): Promise<MediaFolder[]> => {
  const folders: MediaFolder[] = []
  for (let page = 1; page <= MAX_FOLDER_PAGES; page += 1) {
    const path = `/api/media/folders?${ALL}&page=${page}`
    const { items, meta } = await sendSignedIn<List<MediaFolder>>('GET', path, { signal })
    folders.push(...items)
    if (page >= meta.pages) break
  }
  return folders
}

const searchOf = ({ folder, missingAlt, unused, from, to, ...rest }: MediaFilter): URLSearchParams => {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(rest))
    if (value !== '' && value !== undefined) search.set(name, `${value}`)
  if (folder) search.set('folder', folder === NO_FOLDER ? '' : folder)
  if (missingAlt) search.set('missingAlt', '1')
  if (unused) search.set('unused', '1')
  if (from) search.set('createdFrom', dayStart(from).toISOString())
  if (to) search.set('createdBefore', nextDay(to).toISOString())
  return search
}

/** Days are those of the person's own zone. */
const dayStart = (day: string): Date => new Date(`${day}T00:00:00`)

const nextDay = (day: string): Date => {
  const start = dayStart(day)
  start.setDate(start.getDate() + 1)
  return start
}
