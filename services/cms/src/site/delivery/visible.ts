import type { Field } from '@stoa/cms-model/fields/field.ts'
import { type Data, mayBeFormatted, readData } from '@stoa/cms-model/fields/values.ts'
import { cleanInline } from '@stoa/cms-model/html/inline.ts'

/** What visitors see of stored data, with ids where it mentions other records. */
export const readVisible = (fields: readonly Field[], stored: string): Data => {
  const parsed: Data = JSON.parse(stored)
  const data = readData(fields, parsed, 'visible')
  for (const field of fields) if (formatted.has(field)) data[field.key] = inlineHtml(data[field.key])
  return data
}

const formatted = new WeakSet<Field>()

/** Says which text fields hold inline HTML: pages show them as it is. Whether there are any. */
export const markFormatted = (fields: readonly Field[], keys: readonly string[]): boolean => {
  const marked = fields.filter((field) => keys.includes(field.key) && mayBeFormatted(field))
  for (const field of marked) formatted.add(field)
  return marked.length > 0
}

/** Saved before the page was declared, or by a process that has no declaration, it may be any text. */
const inlineHtml = (value: unknown): string => {
  if (typeof value !== 'string') return ''
  return /^[^<]*(?:<(?:\/?i|br)>[^<]*)*$/.test(value) ? value : (cleanInline(value) ?? '')
}
