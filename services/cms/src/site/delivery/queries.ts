import type { Include, TermName } from '@stoa/cms-model/delivery/query.ts'
import type { DeliveredTerm } from '@stoa/cms-model/delivery.ts'
import { uuidArray } from '@stoa/kit/db/uuid-array.ts'
import { type Avatar, avatarSql } from '../../avatar.ts'
import type { CmsDb } from '../../context.ts'

/** An entry as it is stored, with what visitors see of its data, or else the data itself, still as text. */
export type EntryRow = Shape & {
  id: string
  slug: string
  type: string
  title: string
  status: 'draft' | 'published'
  locale: string
  translation_of: string | null
  author_id: string | null
  published_at: Date | null
  created_at: Date
  updated_at: Date
  version: number
  /** What a list is sorted by, if it is a field with an index; null where it is empty. */
  order_value?: string | null
  author?: { name: string; avatar: Avatar | null } | null
  terms?: DeliveredTerm[]
  translations?: TranslationRow[]
}
/** A template of before, or of other fields, is not there: then the data is. */
export type Shape = { template: string; data: null } | { template: null; data: string }
type TranslationRow = { id: string; locale: string; slug: string }

/** What the public sees of published entries. */
export const LIVE_COLUMNS = `id, slug, type, title, data, status, locale, translation_of, author_id, published_at,
  created_at, live_updated_at as updated_at, live_version as version`

/** Data becomes text last of all: sorting carries it along unread, however much is sorted away. */
const SHOWN_COLUMNS = `e.id, e.slug, e.type, e.title, e.status, e.locale, e.translation_of, e.author_id, e.published_at,
  e.created_at, e.updated_at, e.version`

/** Needs `templateOf`. */
export const SHAPE_COLUMNS = `m.template, case when m.template is null then e.data::text end as data`

/** The template of a published entry `e`, if it is of its version and this state of the fields; the order of rows stays. */
export const templateOf = (states: string): string =>
  `left join lateral (select template from entry_template
    where entry_id = e.id and version = e.version and ${states} offset 0) m on true`

export const LIVE = `status = 'published' and deleted_at is null`

const TERMS = `(select coalesce(json_agg(json_build_object('id', t.id, 'slug', t.slug, 'name', t.name, 'taxonomy', x.name,
    'parentId', t.parent_id, 'description', t.description) order by x.name, t.position, t.slug), '[]')
  from entry_term et join term t on t.id = et.term_id join taxonomy x on x.id = t.taxonomy_id where et.entry_id = e.id)`

const AUTHOR = `(select json_build_object('name', a.name, 'avatar', ${avatarSql('a')}) from account a where a.id = e.author_id)`

/** The others of its family: the origin, and what is translated from it. */
const TRANSLATIONS = `(select coalesce(json_agg(json_build_object('id', r.id, 'locale', r.locale, 'slug', r.slug)
    order by r.locale, r.id), '[]')
  from (select * from entry where id = e.translation_of union all
    select * from entry where translation_of = coalesce(e.translation_of, e.id) and id <> e.id) r
  where ${LIVE})`

const extras = [
  ['terms', TERMS, 'terms'],
  ['author', AUTHOR, 'author'],
  ['translations', TRANSLATIONS, 'translations'],
] as const

/** Read for the rows that are shown, not for those that were skipped or sorted away. */
const extraColumns = (include: Include): string =>
  extras.map(([name, column, alias]) => (include[name] ? `, ${column} as ${alias}` : '')).join('')

const extrasName = (include: Include): string => extras.map(([name]) => (include[name] ? `-${name}` : '')).join('')

/** `state`: of which templates may be read; null: of none. */
type Asked = { type: string; include: Include; state: string | null }

/** The published entry of a type with this slug. */
export const findBySlug = async (
  db: CmsDb,
  { type, slug, include, state }: Asked & { slug: string },
): Promise<EntryRow | null> => {
  const [row] = await db.query<EntryRow>({
    name: `delivery-slug${extrasName(include)}`,
    text: `select ${SHOWN_COLUMNS}, ${SHAPE_COLUMNS}${extraColumns(include)} from (
      select ${LIVE_COLUMNS} from entry where type = $1 and slug = $2 and ${LIVE}) e ${templateOf('state = $3')}`,
    values: [type, slug, state],
  })
  return row ?? null
}

/** The published entry that last had this slug, while it is no entry's slug. */
export const findByOldSlug = async (
  db: CmsDb,
  { type, slug, include, state }: Asked & { slug: string },
): Promise<EntryRow | null> => {
  const [row] = await db.query<EntryRow>({
    name: `delivery-old-slug${extrasName(include)}`,
    text: `select ${SHOWN_COLUMNS}, ${SHAPE_COLUMNS}${extraColumns(include)} from (
      select ${LIVE_COLUMNS} from entry where id = (
        select o.entry_id from entry_old_slug o join entry h on h.id = o.entry_id
        where o.type = $1 and o.slug = $2 and h.status = 'published' and h.deleted_at is null
        order by o.left_at desc, o.entry_id desc limit 1
      ) and not exists (select from entry where type = $1 and slug = $2 and deleted_at is null)) e ${templateOf('state = $3')}`,
    values: [type, slug, state],
  })
  return row ?? null
}

/** The published entry of a type that has one. */
export const findSingle = async (db: CmsDb, { type, include, state }: Asked): Promise<EntryRow | null> => {
  const [row] = await db.query<EntryRow>({
    name: `delivery-single${extrasName(include)}`,
    text: `select ${SHOWN_COLUMNS}, ${SHAPE_COLUMNS}${extraColumns(include)} from (
      select ${LIVE_COLUMNS} from entry where type = $1 and ${LIVE} order by published_at desc nulls last, id limit 1) e
      ${templateOf('state = $2')}`,
    values: [type, state],
  })
  return row ?? null
}

/** An entry of any status outside of the trash, as it would be shown: for previews. */
export const findAnyStatus = async (
  db: CmsDb,
  { id, include }: { id: string; include: Include },
): Promise<EntryRow | null> => {
  const [row] = await db.query<EntryRow>({
    name: `delivery-preview${extrasName(include)}`,
    text: `select ${SHOWN_COLUMNS}, null as template, e.data::text as data${extraColumns(include)} from (
      select id, slug, type, title, data, status, locale, translation_of, author_id, published_at, created_at,
        updated_at, version from entry where id = $1 and deleted_at is null) e`,
    values: [id],
  })
  return row ?? null
}

/** What a list is made of, as SQL: pieces of the service's own, with every value a parameter. */
export type ListParts = {
  /** Kept as a prepared statement under this name; null: planned anew for these values. */
  name: string | null
  /** The total without counting, or the count; null when it is known already. */
  total: string | null
  /** The WHERE and ORDER BY clauses. */
  page: string
  values: readonly unknown[]
  /** Whether rows have `order_value`. */
  hasOrderValue: boolean
}

/** One page of published entries, and how many there are, in one statement. */
export const listPage = async (
  db: CmsDb,
  { name, total, page, values, hasOrderValue }: ListParts,
  { include, state }: Pick<Asked, 'include' | 'state'>,
): Promise<{ rows: EntryRow[]; total: number | null }> => {
  const rows = await db.query<EntryRow & { total?: number }>({
    ...(name === null ? {} : { name: `list-${name}${extrasName(include)}` }),
    text: `select ${SHOWN_COLUMNS}, ${SHAPE_COLUMNS}${hasOrderValue ? ', e.order_value' : ''}${extraColumns(include)}${total === null ? '' : `, (${total}) as total`}
      from (${page}) e ${templateOf(`state = $${values.length + 1}`)}`,
    values: [...values, state],
  })
  return { rows, total: rows[0]?.total ?? null }
}

/** Which entries a list has, in its order. */
export const findIds = async (
  db: CmsDb,
  ids: string,
  { values, limit }: { values: readonly unknown[]; limit: number },
): Promise<string[]> => {
  const rows = await db.query<{ id: string }>({ text: `${ids} limit ${limit}`, values: [...values] })
  return rows.map(({ id }) => id)
}

/** Which entries a page of a list has, in its order, and how many the list has; null where the page is empty. */
export const findCountedIds = async (
  db: CmsDb,
  text: string,
  values: readonly unknown[],
): Promise<{ ids: string[]; total: number | null }> => {
  const rows = await db.query<{ id: string; total: number }>({ text, values: [...values] })
  return { ids: rows.map(({ id }) => id), total: rows[0]?.total ?? null }
}

/** Reads those of the entries that are still published, in the order of the IDs. */
export const listByIds = (db: CmsDb, ids: readonly string[], { type, include, state }: Asked): Promise<EntryRow[]> =>
  db.query<EntryRow>({
    name: `delivery-ids${extrasName(include)}`,
    text: `select ${SHOWN_COLUMNS}, ${SHAPE_COLUMNS}${extraColumns(include)} from (
      select ${LIVE_COLUMNS} from unnest((select $1::uuid[])) with ordinality as page (id, place) join entry using (id)
      where type = $2 and ${LIVE} order by place) e ${templateOf('state = $3')}`,
    values: [uuidArray(ids), type, state],
  })

export const runCount = async (db: CmsDb, total: string, values: readonly unknown[]): Promise<number> => {
  const [row] = await db.query<{ total: number | null }>({ text: `select (${total}) as total`, values: [...values] })
  return row?.total ?? 0
}

/** Published entries per type. */
export const countByType = async (db: CmsDb): Promise<Map<string, number>> => {
  const rows = await db.query<{ type: string; published: number }>({
    name: 'delivery-counts',
    text: 'select type, sum(published) as published from entry_count group by type',
  })
  return new Map(rows.map(({ type, published }) => [type, published]))
}

/** The terms that are meant, and those below them where it is asked for; a name without its taxonomy may mean several. */
export const listTermIds = async (db: CmsDb, names: readonly TermName[]): Promise<string[]> => {
  const rows = await db.query<{ id: string }>({
    name: 'delivery-terms',
    text: `with recursive meant as (
        select t.id, named.is_deep from unnest($1::text[], $2::text[], $3::boolean[]) as named (slug, taxonomy, is_deep)
        join term t on t.slug = named.slug
        join taxonomy x on x.id = t.taxonomy_id and x.name = coalesce(named.taxonomy, x.name)
        union
        select t.id, true from term t join meant on t.parent_id = meant.id and meant.is_deep
      )
      select distinct id from meant order by id`,
    values: [names.map(({ slug }) => slug), names.map(({ taxonomy }) => taxonomy), names.map(({ isDeep }) => isDeep)],
  })
  return rows.map(({ id }) => id)
}
