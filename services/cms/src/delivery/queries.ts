import type { CmsDb } from '../context.ts'

/** An entry as it is stored, with its data still as text. */
export type EntryRow = {
  id: string
  slug: string
  type: string
  title: string
  data: string
  status: 'draft' | 'published'
  locale: string
  translation_of: string | null
  author_id: string | null
  published_at: Date | null
  created_at: Date
  updated_at: Date
  version: number
  author_name?: string | null
  terms?: TermRow[]
}
type TermRow = { id: string; slug: string; name: string; taxonomy: string }

/** What the public sees of published entries. */
export const LIVE_COLUMNS = `id, slug, type, title, data, status, locale, translation_of, author_id, published_at,
  created_at, live_updated_at as updated_at, live_version as version`

/** Data becomes text last of all: sorting carries it along unread, however much is sorted away. */
const SHOWN_COLUMNS = `e.id, e.slug, e.type, e.title, e.data::text as data, e.status, e.locale, e.translation_of,
  e.author_id, e.published_at, e.created_at, e.updated_at, e.version`

export const LIVE = `status = 'published' and deleted_at is null`

export type Extras = { terms: boolean; author: boolean }

/** Read for the rows that are shown, not for those that were skipped or sorted away. */
const extraColumns = ({ terms, author }: Extras): string =>
  `${
    terms
      ? `, (select coalesce(json_agg(json_build_object('id', t.id, 'slug', t.slug, 'name', t.name, 'taxonomy', x.name)
        order by x.name, t.position, t.slug), '[]') from entry_term et join term t on t.id = et.term_id
        join taxonomy x on x.id = t.taxonomy_id where et.entry_id = e.id) as terms`
      : ''
  }${author ? ', (select name from account where id = e.author_id) as author_name' : ''}`

const extrasName = ({ terms, author }: Extras): string => `${terms ? '-terms' : ''}${author ? '-author' : ''}`

/** The published entry of a type with this slug. */
export const findBySlug = async (
  db: CmsDb,
  { type, slug, extras }: { type: string; slug: string; extras: Extras },
): Promise<EntryRow | null> => {
  const [row] = await db.query<EntryRow>({
    name: `delivery-slug${extrasName(extras)}`,
    text: `select ${SHOWN_COLUMNS}${extraColumns(extras)} from (
      select ${LIVE_COLUMNS} from entry where type = $1 and slug = $2 and ${LIVE}) e`,
    values: [type, slug],
  })
  return row ?? null
}

/** The published entry of a type that has one. */
export const findSingle = async (
  db: CmsDb,
  { type, extras }: { type: string; extras: Extras },
): Promise<EntryRow | null> => {
  const [row] = await db.query<EntryRow>({
    name: `delivery-single${extrasName(extras)}`,
    text: `select ${SHOWN_COLUMNS}${extraColumns(extras)} from (
      select ${LIVE_COLUMNS} from entry where type = $1 and ${LIVE} order by published_at desc nulls last, id limit 1) e`,
    values: [type],
  })
  return row ?? null
}

/** An entry of any status outside of the trash, as it would be shown: for previews. */
export const findAnyStatus = async (
  db: CmsDb,
  { id, extras }: { id: string; extras: Extras },
): Promise<EntryRow | null> => {
  const [row] = await db.query<EntryRow>({
    name: `delivery-preview${extrasName(extras)}`,
    text: `select ${SHOWN_COLUMNS}${extraColumns(extras)} from (
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
  /** Where and order by. */
  page: string
  values: readonly unknown[]
}

/** One page of published entries, and how many there are, in one statement. */
export const listPage = async (
  db: CmsDb,
  { name, total, page, values }: ListParts,
  extras: Extras,
): Promise<{ rows: EntryRow[]; total: number | null }> => {
  const rows = await db.query<EntryRow & { total?: number }>({
    ...(name === null ? {} : { name: `delivery-list-${name}${extrasName(extras)}` }),
    text: `select ${SHOWN_COLUMNS}${extraColumns(extras)}${total === null ? '' : `, (${total}) as total`} from (${page}) e`,
    values: [...values],
  })
  return { rows, total: rows[0]?.total ?? null }
}

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

export type TermId = { id: string; slug: string; taxonomy: string }

/** Every term with one of these slugs. */
export const listTermIds = (db: CmsDb, slugs: readonly string[]): Promise<TermId[]> =>
  db.query({
    name: 'delivery-terms',
    text: `select t.id, t.slug, x.name as taxonomy from term t join taxonomy x on x.id = t.taxonomy_id
      where t.slug = any($1::text[])`,
    values: [slugs],
  })
