import { cleanInline } from '../html/inline.ts'
import { MAX_DATA_BYTES, problem } from './checks.ts'
import type { Links, Problem, Site } from './define.ts'
import type { Field, FieldOf } from './field.ts'
import { checkLayout, cleanLayout, LAYOUT_KEY } from './layout.ts'
import {
  checkMembers,
  cleanMembers,
  cleanValue,
  fits,
  isRecord,
  linksIn,
  type Members,
  memberOf,
  missingIn,
  readMembers,
  textIn,
} from './members.ts'
import { jsonSize } from './sizes.ts'
import { typeOf } from './types/index.ts'

/** PostgreSQL's search documents are limited, and so is the patience of the person who saves. */
const MAX_SEARCH_TEXT_IN_ALL = 200_000
/** Enough to fix an entry. */
const MAX_PROBLEMS = 100

/** An entry's `data`: values by field key, the layout of its page, and values of fields that are gone. */
export type Data = Members

/** What `data` holds for a new entry. */
export const defaultData = (fields: readonly Field[]): Data =>
  Object.fromEntries(
    fields
      .filter((field) => field.default !== null)
      .map((field) => [field.key, cleanValue(field, field.default, NO_SITE)]),
  )

/** What is stored of the data that was sent. `formatted` names the text fields that hold inline HTML. */
export const cleanData = (
  fields: readonly Field[],
  input: Data,
  { embedHosts = [], formatted = [] }: Partial<Site> & { formatted?: readonly string[] } = {},
): Data => {
  const cleaned = cleanMembers(fields, input, { embedHosts })
  if (Object.hasOwn(cleaned, LAYOUT_KEY)) cleaned[LAYOUT_KEY] = cleanLayout(cleaned[LAYOUT_KEY])
  for (const field of fields) {
    const value = memberOf(cleaned, field.key)
    if (mayBeFormatted(field) && typeof value === 'string' && formatted.includes(field.key))
      cleaned[field.key] = cleanInline(value)
  }
  return cleaned
}

/** Whether a page can have the text with italics and line breaks. */
export const mayBeFormatted = (field: Field): boolean => ['text', 'textarea'].includes(typeOf(field).writing ?? '')

/** The stored data with the members of a patch in place of its own. Lists are replaced as a whole. */
export const mergeData = (stored: Data, patch: Data): Data =>
  Object.fromEntries(
    [...new Map([...Object.entries(stored), ...Object.entries(patch)])].filter(
      ([key, value]) => key !== LAYOUT_KEY || value !== null,
    ),
  )

/**
 * Everything wrong with merged data. With `only`, the keys that a write names: other values may have been right before
 * the type changed, and stay as they are. Publishing also asks for every required field.
 */
export const checkData = (
  fields: readonly Field[],
  data: Data,
  { publishing, only }: { publishing: boolean; only?: readonly string[] },
): Problem[] => {
  const named = new Set(only ?? Object.keys(data))
  const asked = Object.fromEntries(Object.entries(data).filter(([key]) => key !== LAYOUT_KEY && named.has(key)))
  const problems = checkMembers(fields, asked, '')
  if (named.has(LAYOUT_KEY) && Object.hasOwn(data, LAYOUT_KEY)) problems.push(...checkLayout(data[LAYOUT_KEY]))
  if (publishing) {
    const wrong = new Set(problems.map(({ key }) => key))
    problems.push(...missingIn(fields, data, '').filter(({ key }) => !wrong.has(key)))
  }
  return problems.slice(0, MAX_PROBLEMS)
}

/** Whether the data, as stored, is small enough. */
export const checkSize = (data: Data): Problem[] =>
  jsonSize(data) > MAX_DATA_BYTES ? problem('data', 'is larger than 2 MB; move parts of it into separate entries') : []

/**
 * What is read of stored data: a value for each field, the empty one where the stored does not fit the type any more.
 * `visible` leaves hidden fields out, for delivery.
 */
export const readData = (fields: readonly Field[], stored: Data, seen: 'all' | 'visible'): Data => {
  const data = readMembers(fields, stored, seen)
  const layout = memberOf(stored, LAYOUT_KEY)
  if (layout !== undefined && layout !== null && checkLayout(layout).length === 0) data[LAYOUT_KEY] = layout
  return data
}

/**
 * Keys of values that don't fit their field's present definition: they are shown as the empty value. In lists they are
 * named by position, `rows.2.price`; where there are very many, once for all items, as `rows.price`.
 */
export const misfitsIn = (fields: readonly Field[], stored: Data): string[] =>
  fields.flatMap((field) => {
    if (!Object.hasOwn(stored, field.key)) return []
    const value = stored[field.key]
    if (field.type === 'list') return misfitsInItems(field, value)
    return isMisfit(field, value) ? [field.key] : []
  })

const MAX_PLACES = 200

const misfitsInItems = ({ key, fields }: FieldOf<'list'>, value: unknown): string[] => {
  const items = Array.isArray(value) ? value : []
  const found = items.map((item) => (isRecord(item) ? misfitsIn(fields, item) : []))
  if (found.flat().length <= MAX_PLACES)
    return found.flatMap((keys, place) => keys.map((inner) => `${key}.${place}.${inner}`))
  return [...new Set(found.flat().map((inner) => `${key}.${inner.replace(/(^|\.)\d+\./g, '$1')}`))]
}

const isMisfit = (field: Field, value: unknown): boolean =>
  typeOf(field).isMisfit?.(value, field) ?? !fits(field, value)

/** The files and entries that the data mentions, each once. */
export const linksOf = (fields: readonly Field[], data: Data): Links =>
  linksIn(fields, readMembers(fields, data, 'all'))

/** The words to find the entry by; for visitors without those of hidden fields. */
export const searchTextOf = (fields: readonly Field[], data: Data, seen: 'all' | 'visible'): string =>
  textIn(fields, readMembers(fields, data, seen)).slice(0, MAX_SEARCH_TEXT_IN_ALL)

const NO_SITE: Site = { embedHosts: [] }
