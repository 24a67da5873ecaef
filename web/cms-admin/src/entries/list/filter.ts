import type { EntryFilter, EntrySortKey } from '@stoa/cms-model/entries.ts'
import type { Sort } from '@stoa/ui/data-table.tsx'
import { readPage } from '@stoa/ui/url-state.ts'
import type { EntriesFilter } from '../queries.ts'

/** What narrows a list of entries, as the address has it; empty when it does not. */
export type ListFilter = { q: string; status: string; term: string; author: string; locale: string }
export type ListQuery = ListFilter & { sort: string; page: number; limit: number }

export const PAGE_SIZES = [25, 50, 100] as const
export const DEFAULT_SORT = '-updatedAt'

const filterNames = ['q', 'status', 'term', 'author', 'locale'] as const
const statuses: readonly EntryFilter[] = ['draft', 'published', 'scheduled', 'pending']
const sortKeys: readonly EntrySortKey[] = ['title', 'slug', 'publishedAt', 'createdAt', 'updatedAt']

/** What the address asks for; a value that it cannot have is left out. */
export const readQuery = (get: (name: string) => string): ListQuery => {
  const status = get('status')
  const author = get('author')
  const limit = Number(get('limit'))
  return {
    q: get('q'),
    status: statuses.find((known) => known === status) ?? '',
    term: get('term'),
    author: author === 'me' || UUID.test(author) ? author : '',
    locale: get('locale'),
    sort: toSort(get('sort')) ? get('sort') : DEFAULT_SORT,
    page: readPage(get('page')),
    limit: PAGE_SIZES.find((size) => size === limit) ?? PAGE_SIZES[0],
  }
}

export const isNarrowed = (filter: ListFilter): boolean => filterNames.some((name) => filter[name] !== '')

export const NO_FILTER: ListFilter = { q: '', status: '', term: '', author: '', locale: '' }

/** The request of a list of one type. */
export const requestOf = (type: string, { status, ...rest }: ListQuery): EntriesFilter => {
  const known = statuses.find((candidate) => candidate === status)
  return { type, ...rest, ...(known ? { status: known } : {}) }
}

/** `-title` in the address is the title, downwards. */
export const toSort = (text: string): Sort | undefined => {
  const by = text.replace(/^-/, '')
  if (!sortKeys.some((key) => key === by)) return undefined
  return { by, direction: text.startsWith('-') ? 'desc' : 'asc' }
}

export const fromSort = ({ by, direction }: Sort): string => {
  const text = direction === 'desc' ? `-${by}` : by
  return text === DEFAULT_SORT ? '' : text
}

/** A filter with its order as the address has it, each always the same way: two that show the same are equal. */
export const searchOf = ({ sort, ...filter }: ListFilter & { sort: string }): string => {
  const search = new URLSearchParams()
  for (const name of filterNames) if (filter[name] !== '') search.set(name, filter[name])
  if (sort !== DEFAULT_SORT && sort !== '') search.set('sort', sort)
  return search.toString()
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
