import type { EntryQuery, Selection } from '@stoa/cms-model/delivery/query.ts'
import type { DeliveredEntry } from '@stoa/cms-model/delivery.ts'
import type { Field } from '@stoa/cms-model/fields/field.ts'
import { LAYOUT_KEY } from '@stoa/cms-model/fields/layout.ts'
import type { CmsDb } from '../../context.ts'
import { ALL_PEOPLE, ALL_TERMS, entriesOf, type Sources } from './changes.ts'
import { expand, type Readable, readable } from './expand.ts'
import type { EntryRow } from './queries.ts'
import type { View } from './view.ts'

/** Whatever was asked for; always with the id. */
export type Shown = Partial<DeliveredEntry> & { id: string }

/** Rows of one type, and how they are shown. */
export type Showing = {
  rows: readonly EntryRow[]
  fields: readonly Field[]
  query: EntryQuery
  /** Gets what they depend on. */
  sources: Sources
}

/** Rows of one type as delivery shows them. */
export const showEntries = async (
  db: CmsDb,
  view: View,
  { rows, fields, query, sources }: Showing,
): Promise<Shown[]> => {
  const { selection, depth, include } = query
  for (const row of rows) addSources(sources, row, query)
  const asked = selectedFields(fields, selection)
  const isBare = selection !== null && !selection.members.has('data')
  const roots = isBare ? [] : rows.map((row) => ({ id: row.id, ...readRoot(row, asked, selection) }))
  const show = await expand(db, view, { roots, depth, sources })
  return rows.map((row, index) => {
    const root = roots[index]
    const record: Shown = toRecord(row, root ? show(root) : {}, view)
    const shown = selection === null ? record : select(record, selection)
    if (include.terms) shown.terms = row.terms ?? []
    if (include.author) shown.author = toAuthor(row, view)
    if (include.translations) shown.translations = toTranslations(row, view)
    return shown
  })
}

const addSources = (sources: Sources, { id, type, translation_of }: EntryRow, { include }: EntryQuery): void => {
  sources.add(id)
  // Where the origin of a family goes, another takes its place.
  if (translation_of !== null) sources.add(translation_of)
  if (include.terms) sources.add(ALL_TERMS)
  if (include.author) sources.add(ALL_PEOPLE)
  if (include.translations) sources.add(entriesOf(type))
}

const readRoot = (row: EntryRow, fields: readonly Field[], selection: Selection | null): Readable => {
  const root = readable(fields, row.data)
  if (selection?.keys && !selection.keys.has(LAYOUT_KEY)) delete root.data[LAYOUT_KEY]
  return root
}

const selectedFields = (fields: readonly Field[], selection: Selection | null): readonly Field[] => {
  const keys = selection?.keys
  return keys ? fields.filter(({ key }) => keys.has(key)) : fields
}

const toRecord = (row: EntryRow, data: DeliveredEntry['data'], view: View): DeliveredEntry => ({
  id: row.id,
  slug: row.slug,
  type: row.type,
  title: row.title,
  data,
  status: row.status,
  locale: row.locale,
  translationOf: row.translation_of,
  url: view.urlOf(row),
  publishedAt: row.published_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  version: row.version,
})

/** Never more of a person than this. */
const toAuthor = ({ author_id, author }: EntryRow, view: View): DeliveredEntry['author'] =>
  author_id && author ? { id: author_id, name: author.name, avatarUrl: view.avatarUrl(author.avatar) } : null

const toTranslations = ({ translations = [], type }: EntryRow, view: View): DeliveredEntry['translations'] =>
  translations.map(({ id, locale, slug }) => ({ locale, slug, url: view.urlOf({ id, slug, locale, type }) }))

const select = (record: Shown, { members }: Selection): Shown => {
  const { id, ...rest } = record
  return { id, ...Object.fromEntries(Object.entries(rest).filter(([name]) => members.has(name))) }
}
