import { isDeepStrictEqual } from 'node:util'
import type { Field } from '@stoa/cms-model/fields/field.ts'

/** Members of a field that say nothing about which words and links are read out of a stored value. */
const SILENT: ReadonlySet<string> = new Set(['label', 'help', 'required', 'unique', 'indexed', 'default'])

/** Whether stored entries would be found by other words, or point at something else, with these fields. */
export const changesSearch = (before: readonly Field[], after: readonly Field[]): boolean =>
  !isDeepStrictEqual(telling(before), telling(after))

/** The order of the fields does not tell either. */
const telling = (fields: readonly Field[]): unknown[] =>
  [...fields].sort((one, other) => (one.key < other.key ? -1 : 1)).map(tellingMembers)

const tellingMembers = (field: Field): unknown =>
  Object.fromEntries(
    Object.entries(field)
      .filter(([member]) => !SILENT.has(member))
      .map(([member, value]) => [member, member === 'fields' && field.type === 'list' ? telling(field.fields) : value]),
  )
