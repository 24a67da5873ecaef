import type { ContentType } from '@stoa/cms-model/content-types.ts'
import type { Entry } from '@stoa/cms-model/entries.ts'
import { defaultData, readData } from '@stoa/cms-model/fields/values.ts'
import { differs } from '@stoa/ui/form/form-errors.ts'
import type { Members } from '../../undo-history.ts'

/** The values in the form of an entry: all members that have a working copy. */
export type Values = {
  readonly title: string
  readonly slug: string
  readonly data: Readonly<Record<string, unknown>>
}

/** `title`, `slug` or `data.<key>`: the names that histories and differences use, too. */
export type Member = string

export const valuesOf = ({ title, slug, data }: Pick<Entry, 'title' | 'slug' | 'data'>): Values => ({
  title,
  slug,
  data,
})

/** The initial values of a new entry of this type. */
export const newValues = ({ fields }: ContentType): Values => ({
  title: '',
  slug: '',
  data: readData(fields, defaultData(fields), 'all'),
})

const DATA = 'data.'

export const dataMember = (key: string): Member => DATA + key

/** The key of the field that a member is; undefined for title and slug. */
export const fieldKeyOf = (member: Member): string | undefined =>
  member.startsWith(DATA) ? member.slice(DATA.length) : undefined

export const valueAt = (values: Values, member: Member): unknown => {
  const key = fieldKeyOf(member)
  if (key !== undefined) return Object.hasOwn(values.data, key) ? values.data[key] : undefined
  return member === 'slug' ? values.slug : values.title
}

/** A copy of the values with this member replaced. */
export const withValue = (values: Values, member: Member, value: unknown): Values => {
  const key = fieldKeyOf(member)
  if (key !== undefined) return { ...values, data: { ...values.data, [key]: value } }
  const text = typeof value === 'string' ? value : ''
  return member === 'slug' ? { ...values, slug: text } : { ...values, title: text }
}

/** These members by name, as steps of a history hold them. */
export const membersAt = (values: Values, members: readonly Member[]): Members =>
  Object.fromEntries(members.map((member) => [member, valueAt(values, member)]))

/** The values with these members in their places. */
export const withMembers = (values: Values, members: Members): Values =>
  Object.entries(members).reduce((now, [member, value]) => withValue(now, member, value), values)

/** All places of both, in the order of the form. */
export const membersOf = (...several: readonly Values[]): Member[] => [
  'title',
  'slug',
  ...new Set(several.flatMap(({ data }) => Object.keys(data).map(dataMember))),
]

/** The members whose values differ, compared by content. */
export const changedMembers = (values: Values, base: Values): Member[] =>
  membersOf(base, values).filter((member) => differs(valueAt(values, member), valueAt(base, member)))

export type Changes = { title?: string; slug?: string; data?: Record<string, unknown> }

/** The body of a save: only these members, so that nobody's changes to the others are overwritten. */
export const changesOf = (values: Values, members: readonly Member[]): Changes => {
  const keys = members.flatMap((member) => fieldKeyOf(member) ?? [])
  return {
    ...(members.includes('title') ? { title: values.title } : {}),
    ...(members.includes('slug') ? { slug: values.slug } : {}),
    // A field that is gone from the values is cleared
    ...(keys.length > 0 ? { data: Object.fromEntries(keys.map((key) => [key, values.data[key] ?? null])) } : {}),
  }
}

/** The values with the changes in their places. */
export const withChanges = (values: Values, { title, slug, data }: Changes): Values => ({
  title: title ?? values.title,
  slug: slug ?? values.slug,
  data: data === undefined ? values.data : { ...values.data, ...data },
})

type Saved = {
  /** The form's current values; they may have changed since the request was sent. */
  values: Values
  /** The values that counted as saved before. */
  base: Values
  sent: Values
  sentMembers: readonly Member[]
  /** The values as stored by the service. */
  stored: Values
  /** Whether the stored form of a sent value may take the place of what was typed: never under a caret. */
  mayReplace: (member: Member) => boolean
}

/**
 * Form and base after a save. What was typed since stays, and counts as unsaved. The service cleans what it stores; the
 * cleaned form is shown where nobody is typing, and otherwise counts as saved as it was typed.
 */
export const afterSave = ({ values, base, sent, sentMembers, stored, mayReplace }: Saved) => {
  let nextValues = values
  let nextBase = stored
  for (const member of membersOf(stored, values)) {
    const now = valueAt(values, member)
    const isSent = sentMembers.includes(member)
    const reference = isSent ? valueAt(sent, member) : valueAt(base, member)
    const isUntouched = !differs(now, reference)
    if (isUntouched && (!isSent || mayReplace(member))) {
      if (differs(now, valueAt(stored, member))) nextValues = withValue(nextValues, member, valueAt(stored, member))
    } else if (isSent) nextBase = withValue(nextBase, member, reference)
  }
  return { values: nextValues, base: nextBase }
}
