import type { ContentType } from '@stoa/cms-model/content-types.ts'
import { fieldKeyOf, type Member } from './values.ts'

/** The label of a member in the form. */
export const labelOf = ({ fields }: Pick<ContentType, 'fields'>, member: Member): string => {
  const key = fieldKeyOf(member)
  if (key === undefined) return member === 'slug' ? 'Slug' : 'Title'
  if (key === '__layout') return 'Layout'
  return fields.find((field) => field.key === key)?.label ?? key
}

/** Null for what is no field. */
export const typeOfMember = ({ fields }: Pick<ContentType, 'fields'>, member: Member): string | null => {
  const key = fieldKeyOf(member)
  if (key === undefined) return 'text'
  return fields.find((field) => field.key === key)?.type ?? null
}

/** An entry's name in lists and messages. */
export const nameOf = ({ title, slug }: { title: string; slug: string }): string => title.trim() || slug || 'Untitled'
