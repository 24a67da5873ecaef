import { hash } from 'node:crypto'
import type { ListQuery, SortKey } from '@stoa/cms-model/delivery/query.ts'
import { escapeLiteral } from 'pg'
import { publicMatch } from '../../content/entries/entries.ts'
import {
  columnOf,
  filterSql,
  mayMisfit,
  newValues,
  type Scope,
  shownSql,
  type Values,
} from '../../content/filters/filters.ts'
import type { Position } from './positions.ts'
import { LIVE, LIVE_COLUMNS, type ListParts } from './queries.ts'
import type { DeliveredType } from './site.ts'

/** Page sizes that are worth a prepared statement; others are planned each time. */
const PREPARED_LIMITS: ReadonlySet<number> = new Set([1, 5, 6, 10, 12, 20, 24, 25, 50, 100])

export type ListSql = {
  /** How the total is found out, over the first of the values. */
  total: string
  totalValues: readonly unknown[]
  /** The key under which the total is cached; null if the total is kept anyway. */
  countKey: string | null
  /** No statistics say how many entries a condition leaves: only a count does. */
  isFiltered: boolean
  /** All ids in order, over the values of the total; null if the list is not narrowed, or by words, whose index follows later. */
  ids: string | null
  /** The ids of a page, each with the total, over the values of the total; null unless words are searched for, without filters. */
  counted: string | null
  /** Names the order, if its pages are found by going through the index of a field; each row comes with its value then. */
  order: string | null
  /**
   * The page. `isFew`: so few are left that they are found first and sorted then, whatever else looks cheaper. `after`: a
   * position of the order to go on from.
   */
  parts(isFew: boolean, after: Position | undefined): Omit<ListParts, 'total'>
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
  const isPrepared = isPlain && query.sort.length === 1 && PREPARED_LIMITS.has(query.limit) && hasIndex(query.sort)
  const values = newValues()
  // Written out, so that the indexes of the type's own fields fit; a parameter where one statement serves all types.
  const typeSql = isPrepared && !hasOwnIndex(query.sort) ? values.add(name) : escapeLiteral(name)
  const localeSql = query.locale === null ? '' : ` and locale = ${values.add(query.locale)}`
  const where = `type = ${typeSql}${localeSql} and ${LIVE}${isPlain ? '' : narrowed(query, termIds, { values, typeSql, scope })}`
  const totalValues = [...values.list]
  const bound: Bound = { scope, values: isPrepared ? values : null }
  const isDirect = isPlain && query.page === 1 && !isReadBackwards(query.sort, scope)
  const isFollowed = isPrepared && !isDirect && hasOwnIndex(query.sort) && !mayMisfitSort(query.sort, scope)
  const order = isFollowed ? `${where} ${JSON.stringify(totalValues)} ${orderSql(query.sort, scope)}` : null
  const parts: ListSql['parts'] = (isFew, after) => {
    const page = isDirect
      ? `select ${LIVE_COLUMNS} from entry where ${where} order by ${orderSql(query.sort, scope)} limit ${query.limit}`
      : isFollowed
        ? rowsSql(followedSql(where, query, bound, after), valueSql(query.sort, scope))
        : rowsSql(isFew ? `${fewSql(where, query, scope)} ${endSql(query, bound)}` : idsSql(where, query, bound))
    // There are only as many statements as combinations of types, indexed fields and page sizes.
    const name = isPrepared ? hash('sha1', page, 'base64url') : null
    return { name, page, values: values.list, hasOrderValue: isFollowed }
  }
  if (isPlain)
    return {
      total: `select coalesce(sum(published), 0)::int from entry_count where type = ${typeSql}${localeSql}`,
      totalValues,
      countKey: null,
      isFiltered,
      ids: null,
      counted: null,
      order,
      parts,
    }
  return {
    total: `select count(*)::int from entry where ${where}`,
    totalValues,
    countKey: `${where} ${JSON.stringify(totalValues)}`,
    isFiltered,
    ids: query.q === null ? fewSql(where, query, scope) : null,
    counted: query.q === null || isFiltered ? null : countedSql(where, query, bound),
    order,
    parts,
  }
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
const farSql = (steps: number, { values }: Bound): string =>
  `(select ${values === null ? steps : `${values.add(steps)}::int`})`

/** `values`: of a prepared statement. */
type Bound = { scope: Scope; values: Values | null }

const endSql = ({ limit, page, sort }: ListQuery, bound: Bound): string => {
  if (page === 1) return `limit ${limit}`
  const offset = (page - 1) * limit
  return `limit ${limit} offset ${bound.values !== null || hasOwnIndex(sort) ? farSql(offset, bound) : offset}`
}

const hasOwnIndex = ([first]: readonly SortKey[]): boolean =>
  first?.operand.kind === 'field' && first.operand.field.indexed

/** Members have all their index, but for slugs. */
const hasIndex = (sort: readonly SortKey[]): boolean =>
  hasOwnIndex(sort) || (sort[0]?.operand.kind === 'member' && sort[0].operand.name !== 'slug')

/** The rows of ids that were found in order: what was skipped on the way to them is never read as a whole. */
const rowsSql = (ids: string, value?: string): string =>
  `select ${LIVE_COLUMNS}${value === undefined ? '' : `, (${value})::text as order_value`}
    from (select id, row_number() over () as place from (${ids}) as ids) as page
    join entry using (id) order by place`

/** `offset 0` keeps the two steps apart: the database would rather go through all entries in the order asked for. */
const fewSql = (where: string, { sort }: ListQuery, scope: Scope): string =>
  `select id from (select * from entry where ${where} offset 0) as few order by ${orderSql(sort, scope)}`

/** The database has to find all of them for their total; then it has their page, too. */
const countedSql = (where: string, query: ListQuery, bound: Bound): string =>
  `select id, count(*) over ()::int as total from entry where ${where}
    order by ${orderSql(query.sort, bound.scope)} ${endSql(query, bound)}`

const idsSql = (where: string, query: ListQuery, bound: Bound): string =>
  isReadBackwards(query.sort, bound.scope)
    ? followedSql(where, query, bound, undefined)
    : `select id from entry where ${where} order by ${orderSql(query.sort, bound.scope)} ${endSql(query, bound)}`

/** Whether the index of a field is read from its end. */
const isReadBackwards = (sort: readonly SortKey[], scope: Scope): boolean =>
  hasOwnIndex(sort) && sort[0]?.descending === true && !mayMisfitSort(sort, scope)

/** Whether the value to sort by has to be looked at more closely than its index does. */
const mayMisfitSort = ([first]: readonly SortKey[], scope: Scope): boolean =>
  first?.operand.kind === 'field' && mayMisfit(first.operand.field.key, scope)

const valueSql = ([first]: readonly SortKey[], scope: Scope): string => (first ? keySql(first, scope) : 'id')

/**
 * The index of a field, read backwards, has what is empty first. So the entries with a value are read by one scan of it,
 * those without by another that follows it, and nothing is sorted. Both parts have an end of their own, so that they are
 * never read side by side. From a position on, the index is entered there.
 */
const followedSql = (where: string, query: ListQuery, bound: Bound, after: Position | undefined): string => {
  const { sort, page, limit } = query
  const { scope, values } = bound
  const skipped = after === undefined ? 0 : after.place + 1
  const value = valueSql(sort, scope)
  const order = orderSql(sort, scope, sort[0]?.descending ? 'nulls first' : 'nulls last')
  const last = farSql(page * limit - skipped, bound)
  const part = (test: string) =>
    `(select id from entry where ${where} and ${value} ${test} order by ${order} limit ${last})`
  const start =
    after === undefined || values === null
      ? 'is not null'
      : `is not null and (${value}, id) ${sort[0]?.descending ? '<' : '>'} (${values.add(after.value)}${castOf(sort)}, ${values.add(after.id)}::uuid)`
  const rows = `${part(start)} union all ${part('is null')}`
  return `select id from (${rows}) as parts limit ${limit} offset ${farSql((page - 1) * limit - skipped, bound)}`
}

/** What the value of a position is read as. */
const castOf = ([first]: readonly SortKey[]): string => {
  const scalar = first?.operand.kind === 'field' ? first.operand.scalar : 'text'
  return scalar === 'number' ? '::numeric' : scalar === 'boolean' ? '::boolean' : '::text'
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
