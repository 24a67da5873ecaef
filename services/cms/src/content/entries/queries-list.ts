import type { Filter } from '@stoa/cms-model/delivery/filter.ts'
import type { SortMember } from '@stoa/cms-model/delivery/operands.ts'
import type { SortKey } from '@stoa/cms-model/delivery/query.ts'
import type { EntryFilter } from '@stoa/cms-model/entries.ts'
import type { Page } from '@stoa/cms-model/lists.ts'
import type { CmsDb } from '../../context.ts'
import { filterSql, newValues, type Scope, shownSql, type Values, workingColumns } from '../filters/filters.ts'
import type { SearchWords } from '../search/search.ts'
import { ENTRY_COLUMNS, ENTRY_PEOPLE, type EntryRow, toEntry } from './queries.ts'
import type { StoredEntry } from './record.ts'

export type TermChoice = { taxonomy: string | null; slug: string }

export type EntryListFilter = Page & {
  type?: string | undefined
  status?: EntryFilter | undefined
  /** The search; null without one. */
  asked: SearchWords | null
  terms: readonly TermChoice[]
  authorId?: string | undefined
  locale?: string | undefined
  /** These only. */
  ids?: readonly string[] | undefined
  /** The origin of a family of translations. */
  translationOf?: string | undefined
  filter: Filter
  sort: readonly SortKey[]
  /** The SQL scope of the filter and the order. */
  scope: Scope
}
export type EntryPage = { entries: StoredEntry[]; total: number }

/** What people see in the list: the working copy. */
const sortColumns: Record<SortMember, string> = {
  title: "lower(coalesce(e.pending ->> 'title', e.title))",
  slug: "coalesce(e.pending ->> 'slug', e.slug)",
  publishedAt: 'e.published_at',
  createdAt: 'e.created_at',
  updatedAt: 'e.updated_at',
}

const statusConditions: Record<EntryFilter, string> = {
  draft: "e.status = 'draft'",
  published: "e.status = 'published'",
  scheduled: '(e.publish_at is not null or e.unpublish_at is not null)',
  pending: 'e.pending is not null',
}

/** Two statements, whatever is asked for. */
export const listEntryRows = async (db: CmsDb, filter: EntryListFilter): Promise<EntryPage> => {
  const { where, values } = conditionsOf(filter)
  const order = filter.sort.map((key) => orderSql(key, filter.scope))
  return selectPage(db, { where, values, order: [...order, 'e.id'].join(', ') }, filter)
}

const WORKING = `(select ${workingColumns('e')}) as entry`

const orderSql = ({ operand, descending }: SortKey, scope: Scope): string => {
  const direction = descending ? ' desc' : ''
  if (operand.kind === 'field')
    return `(select ${shownSql(operand.field, operand.scalar, scope)} from ${WORKING})${direction} nulls last`
  // Only `publishedAt` can be null; the others are sorted like their index.
  return sortColumns[operand.name] + direction + (operand.name === 'publishedAt' ? ' nulls last' : '')
}

/** How many entries of a type there are, as far as it matters. */
export const countEntries = async (db: CmsDb, type: string, enough: number): Promise<number> => {
  const [row] = await db.query<{ total: number }>({
    text: `select count(*) as total from (select from entry where type = $1 and deleted_at is null limit $2) as first`,
    values: [type, enough],
  })
  return row?.total ?? 0
}

export type TrashFilter = Page & {
  type?: string | undefined
  /** The search; null without one. */
  asked: SearchWords | null
  /** Drafts of this person only. */
  ownerId: string | null
}

/** Lists the most recently deleted first. */
export const listTrashRows = (db: CmsDb, { type, asked, ownerId, ...page }: TrashFilter): Promise<EntryPage> => {
  const values = newValues()
  const value = values.add
  const conditions = ['e.deleted_at is not null']
  if (type !== undefined) conditions.push(`e.type = ${value(type)}`)
  if (ownerId !== null) conditions.push(`e.author_id = ${value(ownerId)} and e.status = 'draft'`)
  if (asked !== null) conditions.push(matching(asked, value))
  return selectPage(
    db,
    { where: conditions.join(' and '), values: values.list, order: 'e.deleted_at desc, e.id' },
    page,
  )
}

const selectPage = async (
  db: CmsDb,
  { where, values, order }: { where: string; values: unknown[]; order: string },
  { page, limit }: Page,
): Promise<EntryPage> => {
  const [counted] = await db.query<{ total: number }>({
    text: `select count(*) as total from entry e where ${where}`,
    values,
  })
  const rows = await db.query<EntryRow>({
    text: `select ${ENTRY_COLUMNS} from entry e ${ENTRY_PEOPLE} where ${where} order by ${order}
      limit $${values.length + 1} offset $${values.length + 2}`,
    values: [...values, limit, (page - 1) * limit],
  })
  return { entries: rows.map(toEntry), total: counted?.total ?? 0 }
}

/** Found once, before anything is sorted: otherwise every entry would be asked for the words. */
const matching = (asked: SearchWords, value: Values['add']): string =>
  `e.id in (with matching as materialized (select entry_id from entry_search
    where full_document @@ ${value(asked.words)}::tsquery or words like ${value(asked.part)})
    select entry_id from matching)`

const conditionsOf = (filter: EntryListFilter) => {
  const { type, status, asked, terms, authorId, locale, ids, translationOf } = filter
  const values = newValues()
  const value = values.add
  const conditions = ['e.deleted_at is null']
  if (ids !== undefined) conditions.push(`e.id = any(${value(ids)}::uuid[])`)
  if (translationOf !== undefined) {
    const origin = value(translationOf)
    conditions.push(`(e.id = ${origin}::uuid or e.translation_of = ${origin}::uuid)`)
  }
  if (type !== undefined) conditions.push(`e.type = ${value(type)}`)
  if (status !== undefined) conditions.push(statusConditions[status])
  if (authorId !== undefined) conditions.push(`e.author_id = ${value(authorId)}`)
  if (locale !== undefined) conditions.push(`e.locale = ${value(locale)}`)
  if (asked !== null) conditions.push(matching(asked, value))
  if (terms.length > 0)
    conditions.push(`exists (select from entry_term et join term t on t.id = et.term_id
      join taxonomy x on x.id = t.taxonomy_id
      join unnest(${value(terms.map(({ taxonomy }) => taxonomy))}::text[], ${value(terms.map(({ slug }) => slug))}::text[])
        as wanted (taxonomy, slug) on wanted.slug = t.slug and coalesce(wanted.taxonomy, x.name) = x.name
      where et.entry_id = e.id)`)
  const own = filterSql(filter.filter, values, filter.scope)
  if (own !== null) conditions.push(`exists (select from ${WORKING} where ${own})`)
  return { where: conditions.join(' and '), values: values.list }
}
