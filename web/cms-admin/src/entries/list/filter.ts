import { sortMembers, sortOperand } from '@stoa/cms-model/delivery/operands.ts'
import type { EntryFilter } from '@stoa/cms-model/entries.ts'
import type { Field } from '@stoa/cms-model/fields/field.ts'
import { readPage } from '@stoa/ui/navigation/url-state.ts'
import type { Sort } from '@stoa/ui/table/data-table.tsx'
import type { EntriesFilter } from '../queries.ts'
import { FIELD_PREFIX } from './column-choice.ts'
import { parametersOf, readConditions, writeConditions } from './conditions.ts'

/** The filter of a list of entries, as in the URL; empty members do not filter. */
export type ListFilter = {
  q: string
  status: string
  term: string
  author: string
  locale: string
  /** Conditions on fields of the type: `price:gte:10;mood:eq:calm`. */
  where: string
}
export type ListQuery = ListFilter & { sort: string; page: number; limit: number }

export const PAGE_SIZES = [25, 50, 100] as const
export const DEFAULT_SORT = '-updatedAt'

const filterNames = ['q', 'status', 'term', 'author', 'locale', 'where'] as const
const statuses: readonly EntryFilter[] = ['draft', 'published', 'scheduled', 'pending']

/** Parses the URL's query; invalid values are left out. With null as `fields`, the fields of the type are unknown. */
export const readQuery = (get: (name: string) => string, fields: readonly Field[] | null = []): ListQuery => {
  const status = get('status')
  const author = get('author')
  const limit = Number(get('limit'))
  return {
    q: get('q'),
    status: statuses.find((known) => known === status) ?? '',
    term: get('term'),
    author: author === 'me' || UUID.test(author) ? author : '',
    locale: get('locale'),
    where: writeConditions(readConditions(get('where'), fields)),
    sort: toSort(get('sort'), fields) ? get('sort') : DEFAULT_SORT,
    page: readPage(get('page')),
    limit: PAGE_SIZES.find((size) => size === limit) ?? PAGE_SIZES[0],
  }
}

export const isNarrowed = (filter: ListFilter): boolean => filterNames.some((name) => filter[name] !== '')

export const NO_FILTER: ListFilter = { q: '', status: '', term: '', author: '', locale: '', where: '' }

/** The request of a list of one type. */
export const requestOf = (type: string, { status, where, ...rest }: ListQuery): EntriesFilter => {
  const known = statuses.find((candidate) => candidate === status)
  return {
    type,
    ...rest,
    ...(known ? { status: known } : {}),
    ...(where === '' ? {} : { own: parametersOf(readConditions(where, null)) }),
  }
}

/** `-title` in the address is the title, downwards; `data.price` is a field of the type. */
export const toSort = (text: string, fields: readonly Field[] | null = []): Sort | undefined => {
  const by = text.replace(/^-/, '')
  const isKnown = sortMembers.some((key) => key === by) || isSortable(by, fields)
  return isKnown ? { by, direction: text.startsWith('-') ? 'desc' : 'asc' } : undefined
}

/** Whether a list can be sorted by a column of a field. */
export const isSortable = (column: string, fields: readonly Field[] | null): boolean => {
  if (!column.startsWith(FIELD_PREFIX)) return false
  return fields === null || sortOperand(column, { fields, fieldsOf: () => null, seen: 'all' }) !== null
}

export const fromSort = ({ by, direction }: Sort): string => {
  const text = direction === 'desc' ? `-${by}` : by
  return text === DEFAULT_SORT ? '' : text
}

/** A filter with its order as the address has it, each always the same way: two that show the same are equal. */
export const searchOf = ({
  sort,
  columns = '',
  ...filter
}: ListFilter & { sort: string; columns?: string }): string => {
  const search = new URLSearchParams()
  for (const name of filterNames) if (filter[name] !== '') search.set(name, filter[name])
  if (sort !== DEFAULT_SORT && sort !== '') search.set('sort', sort)
  if (columns !== '') search.set('columns', columns)
  return search.toString()
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
