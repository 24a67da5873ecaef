import { unreadMessageSql, viewedSql } from '../mailbox/viewer-queries.ts'
import { type Condition, type Filter, isOperator, type RowCondition, wordConditions } from './filter.ts'
import { foldText } from './text-forms.ts'
import { FIELD_SEPARATOR, queryWords, SEARCH_FIELDS, type SearchField, tsquery } from './words.ts'

/** Collects the values of a statement; `$1` is always the mailbox. */
export type Values = {
  readonly list: unknown[]
  /** The placeholder of the viewer, null for the owner. */
  readonly viewer: string | null
  add(value: unknown, type: string): string
}

export const createValues = (addressId: string, viewerId: string | null): Values => {
  const list: unknown[] = [addressId]
  const add = (value: unknown, type: string): string => {
    list.push(value)
    return `$${list.length}::${type}`
  }
  let viewer: string | null = null
  return {
    list,
    // Only where it is asked for: PostgreSQL knows no type of a value that no part of the statement uses.
    get viewer() {
      if (viewerId !== null) viewer ??= add(viewerId, 'uuid')
      return viewer
    },
    add,
  }
}

/** A filter as a condition on a message `m` of the mailbox `$1`, which stands alone or after `and`. */
export const filterSql = (filter: Filter, values: Values): string => partSql(filter, values, IN_LIST)

/** Conditions inside `or` and `not` need another kind of look-up. */
const partSql = (filter: Filter, values: Values, lookUp: LookUp): string => {
  if (!isOperator(filter)) return conditionSql(filter, values, lookUp)
  const inner = filter.conditions.map((each) => partSql(each, values, filter.operator === 'and' ? lookUp : IN_QUERY))
  if (filter.operator === 'or') return inner.length === 0 ? 'false' : `(${inner.join(' or ')})`
  if (filter.operator === 'and') return inner.length === 0 ? 'true' : `(${inner.join(' and ')})`
  return inner.length === 0 ? 'true' : `not (${inner.join(' or ')})`
}

/** Whether a message is among those that a query gives. */
type LookUp = (query: string) => string

// All results are known before a message is looked at: as one of several conditions PostgreSQL may join them, and then
// searches anew for each message of a folder that it takes for a small one.
const IN_LIST: LookUp = (query) => `m.id = any (array(${query}))`
// Many messages are looked at, each in a table of the results.
const IN_QUERY: LookUp = (query) => `m.id in (${query})`

type Builder<K extends keyof Condition> = (value: NonNullable<Condition[K]>, values: Values, lookUp: LookUp) => string

type PlainKey = Exclude<keyof Condition, SearchField | 'text'>
type Builders = { readonly [K in PlainKey]: Builder<K> }

const BUILDERS: Builders = {
  inFolder: (value, values) => visibleSql(`x.folder_id = ${values.add(value, 'uuid')}`),
  inFolderOtherThan: (value, values) => visibleSql(`x.folder_id <> all(${values.add(value, 'uuid[]')})`),
  before: (value, values) => `m.received_at < ${values.add(value, 'timestamptz')}`,
  after: (value, values) => `m.received_at >= ${values.add(value, 'timestamptz')}`,
  sentBefore: (value, values) => `coalesce(m.sent_at, m.received_at) < ${values.add(value, 'timestamptz')}`,
  sentSince: (value, values) => `coalesce(m.sent_at, m.received_at) >= ${values.add(value, 'timestamptz')}`,
  minSize: (value, values) => `m.size >= ${values.add(value, 'bigint')}`,
  maxSize: (value, values) => `m.size < ${values.add(value, 'bigint')}`,
  hasKeyword: (value, values) => hasKeywordSql('m', value, values),
  notKeyword: (value, values) => `not ${hasKeywordSql('m', value, values)}`,
  allInThreadHaveKeyword: (value, values) => `not ${inThreadSql(`not ${hasKeywordSql('o', value, values)}`)}`,
  someInThreadHaveKeyword: (value, values) => inThreadSql(hasKeywordSql('o', value, values)),
  noneInThreadHaveKeyword: (value, values) => `not ${inThreadSql(hasKeywordSql('o', value, values))}`,
  hasAttachment: (value) => (value ? 'm.has_attachment' : 'not m.has_attachment'),
  isUnread: (value, { viewer }) => `${value ? '' : 'not '}${unreadMessageSql('m', viewer)}`,
  contains: (value, values, lookUp) => containsSql(value, values, lookUp),
  containsAnywhere: (value, values, lookUp) => containsAnywhereSql(value, values, lookUp),
  header: (value, values, lookUp) => headerSql(value, values, lookUp),
  beforeDay: (value, values) => `${RECEIVED_DAY} < ${values.add(value, 'date')}`,
  sinceDay: (value, values) => `${RECEIVED_DAY} >= ${values.add(value, 'date')}`,
  sentBeforeDay: (value, values) => sentDaySql(value, values),
  sentSinceDay: (value, values) => `not ${sentDaySql(value, values)}`,
  ids: (value, values) => `m.id = any(${values.add(value, 'uuid[]')})`,
  threadId: (value, values) => `m.thread_id = ${values.add(value, 'uuid')}`,
  row: (value, values) => rowSql(value, values),
}

const RECEIVED_DAY = `(m.received_at at time zone 'UTC' + m.received_zone * interval '1 minute')`

const conditionSql = (condition: Condition, values: Values, lookUp: LookUp): string => {
  const build = <K extends PlainKey>(key: K): string[] => {
    const value: Condition[K] = condition[key]
    return value === undefined || value === null ? [] : [BUILDERS[key](value, values, lookUp)]
  }
  const plain = BUILDER_KEYS.flatMap((key) => build(key))
  const words = wordConditions(condition).map((each) => wordsSql(each, values, lookUp))
  const all = [...plain, ...words]
  return all.length === 0 ? 'true' : `(${all.join(' and ')})`
}

const BUILDER_KEYS = Object.keys(BUILDERS).filter((key): key is PlainKey => key in BUILDERS)

/** In a folder without \Deleted. */
export const visibleSql = (condition: string): string =>
  `exists (select from message_folder x where x.address_id = $1 and x.message_id = m.id and not x.deleted and ${condition})`

// Literals where there is an index for them.
export const hasKeywordSql = (alias: string, keyword: string, values: Values): string => {
  const name = keyword.toLowerCase()
  if (name === '$flagged') return `${alias}.keywords @> '{$flagged}'::text[]`
  if (name === '$seen' && values.viewer !== null) return viewedSql(alias, values.viewer)
  return `${alias}.keywords @> ${values.add([name], 'text[]')}`
}

/** RFC 8621 §4.4.1: threads are of messages that can be seen. */
export const inThreadSql = (condition: string): string =>
  `exists (select from message o where o.address_id = $1 and o.thread_id = m.thread_id and ${condition} and exists (
    select from message_folder y where y.address_id = $1 and y.message_id = o.id and not y.deleted))`

/** A message is in the indexes, or waits for them and is looked at itself. */
const searchedSql = (column: string, condition: string): string =>
  ['message_search', 'message_unindexed']
    .map((table) => `select s.${column} from ${table} s where s.address_id = $1 and ${condition}`)
    .join(' union all ')

const wordsSql = (
  { text, fields }: { text: string; fields: readonly SearchField[] },
  values: Values,
  lookUp: LookUp,
): string => {
  const words = queryWords(text)
  // Only punctuation: there is nothing that could be missing.
  if (!words) return 'true'
  const query = values.add(tsquery(words, fields), 'tsquery')
  return lookUp(searchedSql('message_id', `s.words @@ ${query}`))
}

const likeText = (folded: string): string => folded.replace(/[\\%_]/g, '\\$&')

/** Each field is looked at alone, where all together look right: a pattern may not reach from one into the next. */
const headerSql = ({ name, value }: NonNullable<Condition['header']>, values: Values, lookUp: LookUp): string => {
  const start = `${likeText(foldText(name))}:`
  const wanted = value === null ? '' : likeText(foldText(value))
  const anywhere = values.add(`%${FIELD_SEPARATOR}${start}%${wanted === '' ? '' : `${wanted}%`}`, 'text')
  const inField = (): string => {
    const separator = values.add(FIELD_SEPARATOR, 'text')
    const pattern = values.add(`${start}%${wanted}%`, 'text')
    return `and exists (select from unnest(string_to_array(s.headers, ${separator})) h where h like ${pattern})`
  }
  return lookUp(searchedSql('message_id', `s.headers like ${anywhere} ${wanted === '' ? '' : inField()}`))
}

const containsSql = ({ fields, text }: NonNullable<Condition['contains']>, values: Values, lookUp: LookUp): string => {
  const folded = foldText(text)
  if (folded === '') return 'true'
  const pattern = values.add(`%${likeText(folded)}%`, 'text')
  const separator = values.add(FIELD_SEPARATOR, 'text')
  const isAll = SEARCH_FIELDS.every((field) => fields.includes(field))
  const inFields = fields.map(
    (field) => `split_part(s.text, ${separator}, ${SEARCH_FIELDS.indexOf(field) + 1}) like ${pattern}`,
  )
  return lookUp(
    searchedSql(
      'message_id',
      `s.text like ${pattern} and ${isAll ? `${separator} is not null` : `(${inFields.join(' or ')})`}`,
    ),
  )
}

const containsAnywhereSql = (text: string, values: Values, lookUp: LookUp): string => {
  const folded = foldText(text)
  if (folded === '') return 'true'
  const pattern = values.add(`%${likeText(folded)}%`, 'text')
  return lookUp(searchedSql('message_id', `(s.text like ${pattern} or s.headers like ${pattern})`))
}

/**
 * RFC 9051 §6.4.4: the day that is written in the header, whatever the zone. Only where the zone can decide it is looked
 * up: no day is more than 14 hours off.
 */
const sentDaySql = (day: string, values: Values): string => {
  const start = `${values.add(day, 'date')}::timestamp`
  const sent = `coalesce(m.sent_at, m.received_at) at time zone 'UTC'`
  const zone = `coalesce((select make_interval(mins => (z.f[1] || '1')::int * (z.f[2]::int * 60 + z.f[3]::int))
    from (${searchedSql('headers', 's.message_id = m.id')}) s,
      lateral regexp_match(s.headers, E'\\x01date:[^\\x01]*([+-])(\\\\d\\\\d):?(\\\\d\\\\d)') z (f)
    where z.f is not null limit 1), interval '0')`
  return `case when ${sent} < ${start} - interval '14 hours' then true
    when ${sent} >= ${start} + interval '14 hours' then false else ${sent} + ${zone} < ${start} end`
}

const rowSql = ({ deleted, uids, minModseq, savedBefore, savedSince }: RowCondition, values: Values): string => {
  const conditions = [
    deleted === undefined ? null : `p.deleted = ${values.add(deleted, 'boolean')}`,
    uids &&
      `p.uid <@ ${values.add(`{${uids.map(({ first, last }) => `[${first},${last}]`).join(',')}}`, 'int8multirange')}`,
    minModseq === undefined ? null : `p.modseq >= ${values.add(minModseq, 'bigint')}`,
    savedBefore && `p.added_at < ${values.add(savedBefore, 'timestamptz')}`,
    savedSince && `p.added_at >= ${values.add(savedSince, 'timestamptz')}`,
  ].filter((each) => typeof each === 'string')
  return conditions.length === 0 ? 'true' : conditions.join(' and ')
}
