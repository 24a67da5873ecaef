import type { EntryFilter, EntrySortKey } from '@stoa/cms-model/entries.ts'
import type { Page, SortOrder } from '@stoa/cms-model/lists.ts'
import type { CmsDb } from '../context.ts'
import type { Asked } from '../search/search.ts'
import { ENTRY_COLUMNS, ENTRY_PEOPLE, type EntryRow, toEntry } from './queries.ts'
import type { StoredEntry } from './record.ts'

export type TermChoice = { taxonomy: string | null; slug: string }

export type EntryListFilter = Page & {
  type?: string | undefined
  status?: EntryFilter | undefined
  /** What someone typed; null: everything. */
  asked: Asked | null
  terms: readonly TermChoice[]
  authorId?: string | undefined
  locale?: string | undefined
  /** These only. */
  ids?: readonly string[] | undefined
  /** The origin of a family of translations. */
  translationOf?: string | undefined
  sort: SortOrder<EntrySortKey>
}
export type EntryPage = { entries: StoredEntry[]; total: number }

/** What people see in the list: the working copy. */
const sortColumns: Record<EntrySortKey, string> = {
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
  const order = filter.sort.map(({ key, descending }) => sortColumns[key] + (descending ? ' desc' : '') + nullsOf(key))
  return selectPage(db, { where, values, order: [...order, 'e.id'].join(', ') }, filter)
}

/** Only this one can be without a value; the others are sorted as their index is. */
const nullsOf = (key: EntrySortKey): string => (key === 'publishedAt' ? ' nulls last' : '')

export type TrashFilter = Page & {
  type?: string | undefined
  /** What someone typed; null: everything. */
  asked: Asked | null
  /** Drafts of this person only. */
  ownerId: string | null
}

/** What was deleted last comes first. */
export const listTrashRows = (db: CmsDb, { type, asked, ownerId, ...page }: TrashFilter): Promise<EntryPage> => {
  const { value, values } = numbered()
  const conditions = ['e.deleted_at is not null']
  if (type !== undefined) conditions.push(`e.type = ${value(type)}`)
  if (ownerId !== null) conditions.push(`e.author_id = ${value(ownerId)} and e.status = 'draft'`)
  if (asked !== null) conditions.push(matching(asked, value))
  return selectPage(db, { where: conditions.join(' and '), values, order: 'e.deleted_at desc, e.id' }, page)
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

type Value = (given: unknown) => string

/** Values of a statement, and the name that each has in it. */
const numbered = (): { value: Value; values: unknown[] } => {
  const values: unknown[] = []
  return { value: (given) => `$${values.push(given)}`, values }
}

/** Found once, before anything is sorted: otherwise every entry would be asked for the words. */
const matching = (asked: Asked, value: Value): string =>
  `e.id in (with matching as materialized (select entry_id from entry_search
    where full_document @@ ${value(asked.words)}::tsquery or words like ${value(asked.part)})
    select entry_id from matching)`

const conditionsOf = (filter: EntryListFilter) => {
  const { type, status, asked, terms, authorId, locale, ids, translationOf } = filter
  const { value, values } = numbered()
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
  return { where: conditions.join(' and '), values }
}
