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
  /** How the total is found out, over the first of the values. */
  total: string
  totalValues: readonly unknown[]
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
  const order = isPlain && PREPARED_LIMITS.has(query.limit) ? preparedOrder(query.sort) : null
  const isPrepared = order !== null
  const values = newValues()
  // Written out, so that the indexes of the type's own fields fit; a parameter where one statement serves all types.
  const typeSql = isPrepared ? values.add(name) : escapeLiteral(name)
  const localeSql = query.locale === null ? '' : ` and locale = ${values.add(query.locale)}`
  const where = `type = ${typeSql}${localeSql} and ${LIVE}${isPlain ? '' : narrowed(query, termIds, { values, typeSql, scope })}`
  const totalValues = [...values.list]
  const isFirst = query.page === 1
  const end = endSql(query, isPrepared ? values : null)
  const parts: ListSql['parts'] = (isFew) => ({
    name: isPrepared ? `${query.limit}-${order}${query.locale === null ? '' : '-locale'}${isFirst ? '' : '-2'}` : null,
    page:
      isPlain && isFirst && !isReadBackwards(query.sort, scope)
        ? `select ${LIVE_COLUMNS} from entry where ${where} order by ${orderSql(query.sort, scope)} ${end}`
        : rowsSql(isFew ? fewSql(where, query, { scope, end }) : idsSql(where, query, { scope, end })),
    values: values.list,
  })
  if (isPlain)
    return {
      total: `select coalesce(sum(published), 0)::int from entry_count where type = ${typeSql}${localeSql}`,
      totalValues,
      countKey: null,
      isFiltered,
      parts,
    }
  return {
    total: `select count(*)::int from entry where ${where}`,
    totalValues,
    countKey: `${where} ${JSON.stringify(totalValues)}`,
    isFiltered,
    parts,
  }
}

/** The name of an order that one statement serves for all types: by one member, each of which has an index. */
const preparedOrder = ([first, second]: readonly SortKey[]): string | null => {
  if (first === undefined || second !== undefined || first.operand.kind !== 'member') return null
  return `${first.descending ? '-' : ''}${first.operand.name}`
}

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

/**
 * How far an index is read is a query of its own, so that no plan is made for it: PostgreSQL would rather sort all entries than
 * follow an index to its middle, as if every step were a seek on a disk, and for each page of a prepared statement it would
 * find another plan than the one that it keeps.
 */
const endSql = ({ limit, page, sort }: ListQuery, values: Values | null): string => {
  if (page === 1) return `limit ${limit}`
  const offset = (page - 1) * limit
  if (values !== null) return `limit ${limit} offset (select ${values.add(offset)}::int)`
  return `limit ${limit} offset ${hasOwnIndex(sort) ? `(select ${offset})` : offset}`
}

const hasOwnIndex = ([first]: readonly SortKey[]): boolean =>
  first?.operand.kind === 'field' && first.operand.field.indexed

type Place = { scope: Scope; end: string }

/** The rows of ids that were found in order: what was skipped on the way to them is never read as a whole. */
const rowsSql = (ids: string): string =>
  `select ${LIVE_COLUMNS} from (select id, row_number() over () as place from (${ids}) as ids) as page
    join entry using (id) order by place`

/** `offset 0` keeps the two steps apart: the database would rather go through all entries in the order asked for. */
const fewSql = (where: string, { sort }: ListQuery, { scope, end }: Place): string =>
  `select id from (select * from entry where ${where} offset 0) as few order by ${orderSql(sort, scope)} ${end}`

const idsSql = (where: string, query: ListQuery, { scope, end }: Place): string =>
  isReadBackwards(query.sort, scope)
    ? nullsLastSql(where, query, { scope, end })
    : `select id from entry where ${where} order by ${orderSql(query.sort, scope)} ${end}`

/** Whether the index of a field is read from its end. */
const isReadBackwards = ([first]: readonly SortKey[], scope: Scope): boolean => {
  const field = first?.operand.kind === 'field' ? first.operand.field : undefined
  return field?.indexed === true && first?.descending === true && !isDoubted(field.key, scope)
}

/**
 * The index of a field, read backwards, has what is empty first. So the entries with a value are read by one scan of it,
 * those without by another that follows it, and nothing is sorted. Both parts have an end of their own, so that they are
 * never read side by side.
 */
const nullsLastSql = (where: string, { sort, page, limit }: ListQuery, { scope, end }: Place): string => {
  const [first] = sort
  const value = first ? keySql(first, scope) : 'id'
  const order = orderSql(sort, scope, 'nulls first')
  const part = (test: string) =>
    `(select id from entry where ${where} and ${value} is ${test} order by ${order} limit (select ${page * limit}))`
  return `select id from (${part('not null')} union all ${part('null')}) as parts ${end}`
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
