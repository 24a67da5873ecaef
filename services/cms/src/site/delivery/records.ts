import type { EntryQuery, Selection } from '@stoa/cms-model/delivery/query.ts'
import { readTemplate, type Template, writeTemplate } from '@stoa/cms-model/delivery/template.ts'
import type { DeliveredEntry } from '@stoa/cms-model/delivery.ts'
import type { Field } from '@stoa/cms-model/fields/field.ts'
import { LAYOUT_KEY } from '@stoa/cms-model/fields/layout.ts'
import type { CmsDb } from '../../context.ts'
import { ALL_PEOPLE, ALL_TERMS, entriesOf, type Sources } from './changes.ts'
import { expand } from './expand.ts'
import type { EntryRow } from './queries.ts'
import type { DeliveredType } from './site.ts'
import type { View } from './view.ts'
import { readVisible } from './visible.ts'

/** The requested members; always with the ID. */
export type Shown = Partial<DeliveredEntry> & { id: string }

/** Rows of one type, and how they are shown. */
export type Showing = {
  rows: readonly EntryRow[]
  fields: readonly Field[]
  query: EntryQuery
  /** Gets what they depend on. */
  sources: Sources
}

/** The template state that rows may be read in; null for a selection of keys, as templates hold all fields. */
export const readableState = ({ templateState }: DeliveredType, { selection }: EntryQuery): string | null =>
  selection?.keys ? null : templateState

/** Rows of one type as delivery shows them, each as JSON. */
export const showEntries = async (
  db: CmsDb,
  view: View,
  { rows, fields, query, sources }: Showing,
): Promise<string[]> => {
  const { selection, depth } = query
  for (const row of rows) addSources(sources, row, query)
  const asked = selectedFields(fields, selection)
  const isBare = selection !== null && !selection.members.has('data')
  const roots = isBare ? [] : rows.map((row) => readRoot(row, asked, selection))
  const show = await expand(db, view, { roots, depth, sources })
  return rows.map((row, index) => {
    const template = roots[index]
    return toJson(row, template ? show({ id: row.id, template }) : null, { query, view })
  })
}

const addSources = (sources: Sources, { id, type, translation_of }: EntryRow, { include }: EntryQuery): void => {
  sources.add(id)
  // If the original entry of a family is deleted, another one takes its place.
  if (translation_of !== null) sources.add(translation_of)
  if (include.terms) sources.add(ALL_TERMS)
  if (include.author) sources.add(ALL_PEOPLE)
  if (include.translations) sources.add(entriesOf(type))
}

const readRoot = (row: EntryRow, fields: readonly Field[], selection: Selection | null): Template => {
  if (row.template !== null) return readTemplate(row.template)
  const data = readVisible(fields, row.data)
  if (selection?.keys && !selection.keys.has(LAYOUT_KEY)) delete data[LAYOUT_KEY]
  return readTemplate(writeTemplate(fields, data))
}

const selectedFields = (fields: readonly Field[], selection: Selection | null): readonly Field[] => {
  const keys = selection?.keys
  return keys ? fields.filter(({ key }) => keys.has(key)) : fields
}

type Asked = { query: EntryQuery; view: View }

/** Written member by member; `data` is JSON already, and null where nobody asked for it. */
const toJson = (row: EntryRow, data: string | null, { query, view }: Asked): string => {
  const { selection, include } = query
  const { id, slug, type, title } = row
  const before: Omit<Shown, 'data'> = { id, ...selected({ slug, type, title }, selection) }
  const after: Omit<Shown, 'id'> = selected(
    {
      status: row.status,
      locale: row.locale,
      translationOf: row.translation_of,
      url: view.urlOf(row),
      publishedAt: row.published_at?.toISOString() ?? null,
      createdAt: row.created_at.toISOString(),
      updatedAt: row.updated_at.toISOString(),
      version: row.version,
    },
    selection,
  )
  if (include.terms) after.terms = row.terms ?? []
  if (include.author) after.author = toAuthor(row, view)
  if (include.translations) after.translations = toTranslations(row, view)
  const start = `${JSON.stringify(before).slice(0, -1)}${data === null ? '' : `,"data":${data}`}`
  const end = JSON.stringify(after)
  return end === '{}' ? `${start}}` : `${start},${end.slice(1)}`
}

const selected = <M extends object>(members: M, selection: Selection | null): Partial<M> => {
  if (selection === null) return members
  const shown = Object.entries(members).filter(([name]) => selection.members.has(name))
  return Object.fromEntries(shown) as Partial<M>
}

/** Only these members of a person are public. */
const toAuthor = ({ author_id, author }: EntryRow, view: View): DeliveredEntry['author'] =>
  author_id && author ? { id: author_id, name: author.name, avatarUrl: view.avatarUrl(author.avatar) } : null

const toTranslations = ({ translations = [], type }: EntryRow, view: View): DeliveredEntry['translations'] =>
  translations.map(({ id, locale, slug }) => ({ locale, slug, url: view.urlOf({ id, slug, locale, type }) }))
