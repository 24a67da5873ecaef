import type { EntryOptions, Filter, FilterValue, ListOptions } from './types.ts'

/** The query of a list, with `?`; empty when nothing is asked for. */
export const listQuery = (options: ListOptions): string => {
  const { page, limit, sort, term, locale, q, filter, anyOf } = options
  const search = entrySearch(options)
  for (const [name, value] of Object.entries({ page, limit, locale, q }))
    if (value !== undefined) search.append(name, String(value))
  if (sort !== undefined) search.append('sort', listText(sort))
  if (term !== undefined) search.append('term', listText(term))
  appendFilter(search, 'filter', filter ?? {})
  for (const [index, alternative] of (anyOf ?? []).entries()) appendFilter(search, `filter[or][${index}]`, alternative)
  return withMark(search)
}

/** The query of one entry. */
export const entryQuery = (options: EntryOptions): string => withMark(entrySearch(options))

const entrySearch = ({ include, fields, depth }: EntryOptions): URLSearchParams => {
  const search = new URLSearchParams()
  if (include?.length) search.append('include', include.join(','))
  if (fields?.length) search.append('fields', fields.join(','))
  if (depth !== undefined) search.append('depth', String(depth))
  return search
}

const appendFilter = (search: URLSearchParams, prefix: string, filter: Filter): void => {
  for (const [key, conditions] of Object.entries(filter))
    for (const [op, value] of Object.entries(conditions))
      if (value !== undefined) search.append(`${prefix}[${key}][${op}]`, valueText(value))
}

const valueText = (value: FilterValue | readonly FilterValue[]): string => {
  if (value instanceof Date) return value.toISOString()
  return Array.isArray(value) ? value.map(valueText).join(',') : String(value)
}

const listText = (value: string | readonly string[]): string => (typeof value === 'string' ? value : value.join(','))

const withMark = (search: URLSearchParams): string => (search.size === 0 ? '' : `?${search}`)
