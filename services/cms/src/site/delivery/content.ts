import type { Condition } from '@stoa/cms-model/delivery/filter.ts'
import type { Operand } from '@stoa/cms-model/delivery/operands.ts'
import { type ListQuery, type Read, readEntryQuery, readListQuery } from '@stoa/cms-model/delivery/query.ts'
import type { DeliveredTypes } from '@stoa/cms-model/delivery.ts'
import type { Field } from '@stoa/cms-model/fields/field.ts'
import { toList } from '@stoa/cms-model/lists.ts'
import { MAX_UNINDEXED, unindexedIn } from '../../content/filters/filters.ts'
import type { Ctx } from '../../context.ts'
import { fail, failFields } from '../../errors.ts'
import { ALL_MEDIA, ALL_TERMS, entriesOf, type Sources, slugsOf } from './changes.ts'
import {
  type EntryRow,
  findByOldSlug,
  findBySlug,
  findCountedIds,
  findIds,
  findSingle,
  listByIds,
  listPage,
  listTermIds,
  runCount,
} from './queries.ts'
import { type ListSql, listSql } from './queries-list.ts'
import { readableState, type Showing, showEntries } from './records.ts'
import type { DeliveredType } from './site.ts'
import { knownTo, scopeFor, type View } from './view.ts'

/** Up to this many entries, sorting is fast. */
const MAX_SORTED = 5_000

type Search = Iterable<readonly [string, string]>

/** What is asked for; `sources` gets what the answer depends on. */
type Asked = { typeName: string; search: Search; sources: Sources }

/** The types that the key may read. */
export const listTypes = (view: View): DeliveredTypes => ({
  items: view.typeNames.flatMap((name) => {
    const type = view.typeOf(name)
    if (!type) return []
    const { label, kind, fields } = type
    return [{ name, label, kind, fields: shownFields(fields, view), locales: view.site.settings.locales }]
  }),
})

/** Without hidden fields, at any depth, and without names of types that the key does not know. */
const shownFields = (fields: readonly Field[], view: View): DeliveredTypes['items'][number]['fields'] =>
  fields
    .filter((field) => !field.hidden)
    .map(({ hidden: _never, ...field }) => {
      if (field.type === 'list') return { ...field, fields: shownFields(field.fields, view) }
      return 'to' in field && !view.reads(field.to) ? { ...field, to: null } : field
    })

/** One page of published entries, as JSON. */
export const listEntries = async (
  ctx: Ctx,
  view: View,
  { typeName, search, sources }: Asked,
): Promise<readonly string[]> => {
  const type = requireType(view, typeName)
  const query = accept(readListQuery(search, knownTo(view, type)))
  await refuseUnindexed(ctx, type, query)
  const own = listSources(type, query)
  for (const source of own) sources.add(source)
  const termIds = query.terms && (await listTermIds(ctx.db, query.terms))
  const asked = { query, type: type.name, state: readableState(type, query), sources: own }
  const { rows, total } = await readPage(ctx, asked, listSql(type, query, termIds, scopeFor(view, type)))
  const items = await showEntries(ctx.db, view, { rows, fields: type.fields, query, sources })
  const listed = items.map((item, index) => (index === 0 ? item : `,${item}`))
  return ['{"items":[', ...listed, `],"meta":${JSON.stringify(toList([], total, query).meta)}}`]
}

type Page = { rows: EntryRow[]; total: number }
type PageQuery = { query: ListQuery; type: string; state: string | null; sources: Sources }

const readPage = async (ctx: Ctx, asked: PageQuery, sql: ListSql): Promise<Page> =>
  (await readKnownPage(ctx, asked, sql)) ?? (await searchPage(ctx, asked, sql)) ?? findPage(ctx, asked, sql)

/** A page of a list whose ids are known; they are read when a list is asked for again. Null: they are not, or not any more. */
const readKnownPage = async (
  ctx: Ctx,
  { query: { page, limit, include }, type, state, sources }: PageQuery,
  { countKey, ids, totalValues }: ListSql,
): Promise<Page | null> => {
  if (ids === null || countKey === null) return null
  const { totals, listIds, versions } = ctx.delivery
  const key = `${ids} ${JSON.stringify(totalValues)}`
  const version = versions.public()
  let known = listIds.get(key)
  if (!known) {
    const total = totals.get(countKey)
    if (total === undefined || total === 0 || total > MAX_SORTED) return null
    known = await findIds(ctx.db, ids, { values: totalValues, limit: MAX_SORTED })
    listIds.keep(key, known, { sources, version })
  }
  const wanted = known.slice((page - 1) * limit, page * limit)
  const rows = wanted.length === 0 ? [] : await listByIds(ctx.db, wanted, { type, include, state })
  // One of the entries was unpublished meanwhile.
  return rows.length === wanted.length ? { rows, total: known.length } : null
}

/**
 * A page of a search for words that was not counted yet. What is found is counted and put in order at once, and what it shows
 * is read by a statement that needs no planning. Null: it is no such list, or has changed meanwhile.
 */
const searchPage = async (
  ctx: Ctx,
  { query, type, state, sources }: PageQuery,
  { countKey, counted, totalValues }: ListSql,
): Promise<Page | null> => {
  const { totals, versions } = ctx.delivery
  if (counted === null || countKey === null || totals.get(countKey) !== undefined) return null
  const version = versions.public()
  const { ids, total } = await findCountedIds(ctx.db, counted, totalValues)
  // Past the last page no row carries the total.
  if (total === null && query.page > 1) return null
  const rows = ids.length === 0 ? [] : await listByIds(ctx.db, ids, { type, include: query.include, state })
  if (rows.length < ids.length) return null
  totals.keep(countKey, total ?? 0, { sources, version })
  return { rows, total: total ?? 0 }
}

/** The rows with their total, which comes along with them if it is not known yet. */
const findPage = async (
  ctx: Ctx,
  { query, state, sources }: PageQuery,
  { total, totalValues, countKey, isFiltered, order, parts }: ListSql,
): Promise<Page> => {
  const { page, limit, include } = query
  const { totals, positions, versions } = ctx.delivery
  const start = (page - 1) * limit
  const version = versions.public()
  const held = countKey === null ? undefined : totals.get(countKey)
  if (held === 0) return { rows: [], total: 0 }
  const known = held ?? (isFiltered ? await runCount(ctx.db, total, totalValues) : undefined)
  const isFew = isFiltered && known !== undefined && known <= MAX_SORTED
  const after = order === null ? undefined : positions.before(order, start)
  const asked = { ...parts(isFew, after), total: known === undefined ? total : null }
  const found = await listPage(ctx.db, asked, { include, state })
  const last = found.rows.at(-1)
  if (order !== null && last && typeof last.order_value === 'string') {
    const position = { place: start + found.rows.length - 1, value: last.order_value, id: last.id }
    positions.keep(order, position, { sources, version })
  }
  // Past the last page no row carries the total.
  const missing = () => (page === 1 ? 0 : runCount(ctx.db, total, totalValues))
  const count = known ?? found.total ?? (await missing())
  if (countKey !== null) totals.keep(countKey, count, { sources, version })
  return { rows: found.rows, total: count }
}

/** The published entry with this slug, or else the one that had it last: a link that somebody kept leads to it. */
export const getEntry = async (
  ctx: Ctx,
  view: View,
  { typeName, slug, search, sources }: Asked & { slug: string },
): Promise<string> => {
  const type = requireType(view, typeName)
  const query = accept(readEntryQuery(search, type.fields))
  const asked = { type: type.name, slug, include: query.include, state: readableState(type, query) }
  const row = (await findBySlug(ctx.db, asked)) ?? (await findByOldSlug(ctx.db, asked)) ?? fail('NOT_FOUND')
  // A slug in use cannot be taken; one that was left is free for any entry.
  if (row.slug !== slug) sources.add(slugsOf(type.name))
  return showOne(ctx, view, row, { fields: type.fields, query, sources })
}

/** The published entry of a type that has one only. */
export const getSingle = async (ctx: Ctx, view: View, { typeName, search, sources }: Asked): Promise<string> => {
  const type = requireType(view, typeName)
  const query = accept(readEntryQuery(search, type.fields))
  if (type.kind !== 'single') return fail('NOT_FOUND')
  sources.add(entriesOf(type.name))
  const asked = { type: type.name, include: query.include, state: readableState(type, query) }
  const row = (await findSingle(ctx.db, asked)) ?? fail('NOT_FOUND')
  return showOne(ctx, view, row, { fields: type.fields, query, sources })
}

const showOne = async (ctx: Ctx, view: View, row: EntryRow, rest: Omit<Showing, 'rows'>): Promise<string> => {
  const [shown] = await showEntries(ctx.db, view, { rows: [row], ...rest })
  return shown ?? fail('NOT_FOUND')
}

/** Missing types and types that the key may not read get the same error. */
const requireType = (view: View, name: string): DeliveredType =>
  view.typeOf(name) ?? fail('NOT_FOUND', { message: `No content type '${name}' is readable with this key` })

const accept = <Q>({ query, problems }: Read<Q>): Q => query ?? failFields(problems)

const refuseUnindexed = async (ctx: Ctx, type: DeliveredType, query: ListQuery): Promise<void> => {
  const slow = unindexedIn(query)
  if (slow.length > 0 && (await ctx.delivery.totals.ofType(type.name)) > MAX_UNINDEXED) failFields(slow)
}

/** What decides which entries of a type a list has, in which order, and how many there are. */
const listSources = ({ name }: { name: string }, { terms, filter }: ListQuery): Sources => {
  const sources: Sources = new Set([entriesOf(name)])
  if (terms !== null) sources.add(ALL_TERMS)
  const conditions: readonly Condition[] = [...filter.all, ...filter.any.flat()]
  for (const { operand } of conditions) addOperand(sources, operand)
  return sources
}

/** A condition on what is referred to holds or not with the entries and files that are there. */
const addOperand = (sources: Sources, operand: Operand): void => {
  if (operand.kind === 'reference' || operand.kind === 'through') sources.add(entriesOf(operand.field.to))
  if (operand.kind === 'media') sources.add(ALL_MEDIA)
  if (operand.kind === 'rows' || operand.kind === 'through') addOperand(sources, operand.inner)
}
