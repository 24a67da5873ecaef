import type { ContentType } from '@stoa/cms-model/content-types.ts'
import type { Comparison } from '@stoa/cms-model/fields/define.ts'
import { type Field, scalarOf } from '@stoa/cms-model/fields/field.ts'
import { typeOf } from '@stoa/cms-model/fields/types/index.ts'

/** Before the key of a field: no column of the list itself is called so. */
export const FIELD_PREFIX = 'data.'

export type ColumnOption = { id: string; label: string }

type ListType = Pick<ContentType, 'fields' | 'taxonomies'>

/** The columns that a list of this type can have besides the title. */
export const columnOptions = (type: ListType, locales: number): readonly ColumnOption[] => [
  { id: 'status', label: 'Status' },
  ...type.fields.map((field) => ({ id: FIELD_PREFIX + field.key, label: field.label })),
  ...(type.taxonomies.length > 0 ? [{ id: 'terms', label: 'Terms' }] : []),
  ...(locales > 1 ? [{ id: 'locale', label: 'Language' }] : []),
  { id: 'slug', label: 'Slug' },
  { id: 'author', label: 'Author' },
  { id: 'publishedAt', label: 'Published' },
  { id: 'createdAt', label: 'Created' },
  { id: 'updatedAt', label: 'Updated' },
]

/** Short values that distinguish entries; long texts do not fit a row. */
const distinguishing: ReadonlySet<Comparison> = new Set(['reference', 'date', 'number', 'boolean'])

const isDistinguishing = (field: Field): boolean =>
  'options' in field ? scalarOf(field) !== undefined : distinguishing.has(typeOf(field).comparesAs)

const MAX_DISTINGUISHING = 2

/** The default columns of a list. */
export const defaultColumns = (type: ListType, locales: number): readonly string[] => [
  'status',
  ...type.fields
    .filter(isDistinguishing)
    .slice(0, MAX_DISTINGUISHING)
    .map((field) => FIELD_PREFIX + field.key),
  ...(locales > 1 ? ['locale'] : []),
  'author',
  'updatedAt',
]

/** The stored columns in the order of the options, without fields that no longer exist. */
export const readColumns =
  (options: readonly ColumnOption[], standard: readonly string[]) =>
  (stored: unknown): readonly string[] => {
    if (!Array.isArray(stored)) return standard
    return options.filter(({ id }) => stored.includes(id)).map(({ id }) => id)
  }

export const fieldOfColumn = (fields: readonly Field[], id: string): Field | undefined =>
  id.startsWith(FIELD_PREFIX) ? fields.find(({ key }) => FIELD_PREFIX + key === id) : undefined
