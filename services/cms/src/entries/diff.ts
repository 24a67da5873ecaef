import { isDeepStrictEqual } from 'node:util'
import type { EntryDiff } from '@stoa/cms-model/entries.ts'
import { typeOf } from '@stoa/cms-model/fields/index.ts'
import { LAYOUT_KEY } from '@stoa/cms-model/fields/layout.ts'
import { readData } from '@stoa/cms-model/fields/values.ts'
import type { ContentType } from '../types/types.ts'
import type { Content } from './record.ts'

type Difference = EntryDiff['changes'][number]

/** What is different, member by member, in the order of the form; values as the fields of the type read them now. */
export const diffContent = ({ fields }: ContentType, before: Content, after: Content): Difference[] => {
  const old = readData(fields, before.data, 'all')
  const present = readData(fields, after.data, 'all')
  const isBlank = (value: unknown) => value === '' || value === undefined || value === null
  return [
    { path: 'title', label: 'Title', fieldType: 'text', before: before.title, after: after.title, isEmpty: isBlank },
    { path: 'slug', label: 'Slug', fieldType: 'text', before: before.slug, after: after.slug, isEmpty: isBlank },
    ...fields.map((field) => ({
      path: `data.${field.key}`,
      label: field.label,
      fieldType: field.type,
      before: old[field.key],
      after: present[field.key],
      isEmpty: (value: unknown) => typeOf(field).isEmpty(value),
    })),
    {
      path: `data.${LAYOUT_KEY}`,
      label: 'Layout',
      fieldType: null,
      before: old[LAYOUT_KEY] ?? null,
      after: present[LAYOUT_KEY] ?? null,
      isEmpty: isBlank,
    },
  ].flatMap(({ isEmpty, ...change }) => {
    if (isDeepStrictEqual(change.before, change.after)) return []
    const op = isEmpty(change.before) ? 'add' : isEmpty(change.after) ? 'remove' : 'change'
    return [{ ...change, op: op satisfies Difference['op'] }]
  })
}
