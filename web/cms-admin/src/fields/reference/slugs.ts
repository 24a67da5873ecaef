import type { Field } from '@stoa/cms-model/fields/field.ts'
import { mayBeFormatted } from '@stoa/cms-model/fields/values.ts'

/** The slugs that a field holds. */
export type HeldSlugs = {
  readonly slugs: readonly string[]
  /** In an order; otherwise there is one at most. */
  readonly isList: boolean
  readonly max: number
}

/**
 * What a field that refers to entries by their slugs holds: a text holds one; a list whose items are one text each, or JSON,
 * holds several. Null for anything else, which keeps its own editor.
 */
export const slugsIn = (field: Field, value: unknown): HeldSlugs | null => {
  switch (field.type) {
    case 'list': {
      const key = onlyText(field.fields)
      if (key === null) return null
      const slugs = itemsOf(value).map((item) => textAt(item, key))
      return { slugs, isList: true, max: field.maxItems ?? Number.POSITIVE_INFINITY }
    }
    case 'json': {
      const isSlugs = value === null || value === undefined || (Array.isArray(value) && value.every(isText))
      return isSlugs ? { slugs: itemsOf(value).filter(isText), isList: true, max: Number.POSITIVE_INFINITY } : null
    }
    default: {
      if (!mayBeFormatted(field)) return null
      const slug = typeof value === 'string' ? value.trim() : ''
      return { slugs: slug === '' ? [] : [slug], isList: false, max: 1 }
    }
  }
}

/** The value of the field that holds these slugs. */
export const holdSlugs = (field: Field, slugs: readonly string[]): unknown => {
  if (field.type === 'json') return slugs.length === 0 ? null : slugs
  if (field.type !== 'list') return slugs[0] ?? ''
  const key = onlyText(field.fields) ?? ''
  return slugs.map((slug) => ({ [key]: slug }))
}

const isText = (value: unknown): value is string => typeof value === 'string'

const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const onlyText = (fields: readonly Field[]): string | null => {
  const [first, ...more] = fields
  return first?.type === 'text' && more.length === 0 ? first.key : null
}

const textAt = (item: unknown, key: string): string => {
  const value = typeof item === 'object' && item !== null ? Reflect.get(item, key) : undefined
  return isText(value) ? value : ''
}
