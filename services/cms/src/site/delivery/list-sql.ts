import type { ListQuery, SortKey } from '@stoa/cms-model/delivery/query.ts'
import { escapeLiteral } from 'pg'
import { publicMatch } from '../../content/entries/entries.ts'
import {
  columnOf,
  filterSql,
  isDoubted,
  newValues,
  type Scope,
  shownSql,
  type Values,
} from '../../content/filters/filters.ts'
import { LIVE, LIVE_COLUMNS, type ListParts } from './queries.ts'
import type { DeliveredType } from './site.ts'

/** Page sizes that are worth a prepared statement; others are planned each time. */
const PREPARED_LIMITS: ReadonlySet<number> = new Set([1, 5, 6, 10, 12, 20, 24, 25, 50, 100])

export type ListSql = {
  /** How the total is found out. */
  total: string
  /** What the total depends on, if it has to be counted; null when it is kept anyway. */
  countKey: string | null
  /** No statistics say how many entries a condition leaves: only a count does. */
  isFiltered: boolean
  /** The page; `isFew`: so few are left that they are found first and sorted then, whatever else looks cheaper. */
  parts(isFew: boolean): Omit<ListParts, 'total'>
}

/** A list as SQL. `termIds`: entries that have one of these; null: whatever they have. */
export const listSql = (
  { name }: Pick<DeliveredType, 'name'>,
  query: ListQuery,
  termIds: readonly string[] | null,
  scope: Scope,
): ListSql => {
  const isFiltered = query.filter.all.length + query.filter.any.length > 0
  const isPlain = termIds === null && query.q === null && !isFiltered
  const isPrepared = isPlain && query.page === 1 && isDefaultOrder(query.sort) && PREPARED_LIMITS.has(query.limit)
  const values = newValues()
  // Written out, so that the indexes of the type's own fields fit; a parameter where one statement serves all types.
  const typeSql = isPrepared ? values.add(name) : escapeLiteral(name)
  const localeSql = query.locale === null ? '' : ` and locale = ${values.add(query.locale)}`
  const where = `type = ${typeSql}${localeSql} and ${LIVE}${isPlain ? '' : narrowed(query, termIds, { values, typeSql, scope })}`
  const parts: ListSql['parts'] = (isFew) => ({
    name: isPrepared ? `${query.limit}${query.locale === null ? '' : '-locale'}` : null,
    page: isFew ? fewSql(where, query, scope) : pageSql(where, query, scope),
    values: values.list,
  })
  if (isPlain)
    return {
      total: `select coalesce(sum(published), 0)::int from entry_count where type = ${typeSql}${localeSql}`,
      countKey: null,
      isFiltered,
      parts,
    }
  return {
    total: `select count(*)::int from entry where ${where}`,
    countKey: `${where} ${JSON.stringify(values.list)}`,
    isFiltered,
    parts,
  }
}

const isDefaultOrder = ([first, second]: readonly SortKey[]): boolean =>
  second === undefined && first?.descending === true && first.key === 'publishedAt'

const narrowed = (
  { q, filter }: ListQuery,
  termIds: readonly string[] | null,
  { values, typeSql, scope }: { values: Values; typeSql: string; scope: Scope },
): string => {
  const conditions = [
    termIds && `id in (select entry_id from entry_term where term_id = any(${values.add(termIds)}::uuid[]))`,
    q !== null && searchSql(values.add(q), typeSql),
    filterSql(filter, values, scope),
  ]
  return conditions
    .filter((condition) => typeof condition === 'string')
    .map((condition) => ` and ${condition}`)
    .join('')
}

/** All words, the last one also where it only begins a word. Only the document for visitors is looked at. */
const searchSql = (q: string, typeSql: string): string => {
  const words = `(nullif(plainto_tsquery('simple', unaccent(${q}::text))::text, '') || ':*')`
  return `id in (select s.entry_id from entry_search s where ${publicMatch(words, typeSql)})`
}

const endSql = ({ limit, page }: ListQuery): string =>
  `limit ${limit}${page === 1 ? '' : ` offset ${(page - 1) * limit}`}`

/** `offset 0` keeps the two steps apart: the database would rather go through all entries in the order asked for. */
const fewSql = (where: string, query: ListQuery, scope: Scope): string =>
  `select ${LIVE_COLUMNS} from (select * from entry where ${where} offset 0) as few
    order by ${orderSql(query.sort, scope)} ${endSql(query)}`

const pageSql = (where: string, query: ListQuery, scope: Scope): string => {
  const { sort, limit, page } = query
  const end = endSql(query)
  const [first] = sort
  const field = first?.operand.kind === 'field' ? first.operand.field : undefined
  if (field?.indexed && first?.descending && !isDoubted(field.key, scope))
    return nullsLastSql(where, sort, { last: page * limit, end, scope })
  return `select ${LIVE_COLUMNS} from entry where ${where} order by ${orderSql(sort, scope)} ${end}`
}

/**
 * The index of a field, read backwards, has what is empty first. So the entries with a value are read by one scan of it,
 * those without by another, and nothing else is sorted.
 */
const nullsLastSql = (
  where: string,
  sort: readonly SortKey[],
  { last, end, scope }: { last: number; end: string; scope: Scope },
): string => {
  const [first] = sort
  const value = first ? keySql(first, scope) : 'id'
  const order = orderSql(sort, scope, 'nulls first')
  const part = (test: string, place: number) =>
    `(select *, ${place} as part, row_number() over (order by ${order}) as place from entry
      where ${where} and ${value} is ${test} order by ${order} limit ${last})`
  return `select ${LIVE_COLUMNS} from (${part('not null', 0)} union all ${part('null', 1)}) as parts
    order by part, place ${end}`
}

const keySql = ({ operand }: SortKey, scope: Scope): string =>
  operand.kind === 'member' ? columnOf(operand.name, scope) : shownSql(operand.field, operand.scalar, scope)

/** Ends with the id, in the direction in which the index of the first key has it. */
const orderSql = (sort: readonly SortKey[], scope: Scope, firstNulls = 'nulls last'): string => {
  const [first] = sort
  const keys = sort.map(
    (key, index) => `${keySql(key, scope)} ${directionSql(key, index === 0 ? firstNulls : 'nulls last')}`,
  )
  return [...keys, first?.descending && !isPublishedAt(first) ? 'id desc' : idAfter(first)].join(', ')
}

const isPublishedAt = ({ operand }: SortKey): boolean => operand.kind === 'member' && operand.name === 'publishedAt'

/** The index by time of publication was made for the newest first; upwards it is read backwards. */
const idAfter = (first: SortKey | undefined): string =>
  first && isPublishedAt(first) && !first.descending ? 'id desc' : 'id'

/** Members always have a value: where their index has the empty ones says only how it is read. */
const directionSql = (key: SortKey, nulls: string): string => {
  if (isPublishedAt(key)) return key.descending ? 'desc nulls last' : 'asc nulls first'
  if (key.operand.kind === 'member') return key.descending ? 'desc' : 'asc'
  return key.descending ? `desc ${nulls}` : 'asc nulls last'
}
