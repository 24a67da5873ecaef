import { type Difference, isSameJson } from '@stoa/cms-model/entry-diff.ts'
import { type Field, labelFromKey } from '@stoa/cms-model/fields/field.ts'
import { isTextType, typeOf } from '@stoa/cms-model/fields/types/index.ts'
import { textOfHtml } from '@stoa/cms-model/html/text.ts'

/** One member of an entry that differs. */
export type Change = Difference

/** Differences between two rows of a list. A list without fields is compared by the names of the members. */
export const rowChanges = (fields: readonly Field[], before: unknown, after: unknown): Change[] => {
  const [old, present] = [membersOf(before), membersOf(after)]
  const known = new Map(fields.map((field) => [field.key, field]))
  const keys = fields.length > 0 ? [...known.keys()] : [...new Set([...Object.keys(old), ...Object.keys(present)])]
  return keys.flatMap((key) => {
    const field = known.get(key)
    const isEmpty = (value: unknown) => value === undefined || (field ? typeOf(field).isEmpty(value) : isBlank(value))
    const [was, is] = [old[key], present[key]]
    if (isSameJson(was, is) || (isEmpty(was) && isEmpty(is))) return []
    const op = isEmpty(was) ? 'add' : isEmpty(is) ? 'remove' : 'change'
    const label = field?.label || labelFromKey(key)
    return [{ path: `data.${key}`, label, fieldType: field?.type ?? null, op, before: was, after: is }]
  })
}

/** So much of a row names it. */
const MAX_SUMMARY = 80

/** The first words in a row of a list. */
export const summaryOf = (fields: readonly Field[], item: unknown): string => {
  const members = membersOf(item)
  const texts = fields.filter((field) => isTextType(field.type) || 'options' in field)
  const candidates =
    fields.length > 0
      ? texts.map((field) => ({ value: members[field.key], isHtml: typeOf(field).writing === 'richtext' }))
      : Object.values(members).map((value) => ({ value, isHtml: false }))
  for (const { value, isHtml } of candidates) {
    if (typeof value !== 'string') continue
    const text = (isHtml ? textOfHtml(value) : value).trim()
    if (text !== '') return text.length > MAX_SUMMARY ? `${text.slice(0, MAX_SUMMARY)}…` : text
  }
  return ''
}

const membersOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}

const isBlank = (value: unknown): boolean => value === null || value === ''
