import type { Options } from './define.ts'
import type { Field } from './field.ts'
import { isSwitchedOn, type Narrows } from './narrowing.ts'
import { type FieldType, typeOf } from './types/index.ts'

/** What a change of the fields means for the entries there are. Keys of fields in lists are dot paths. */
export type FieldChange =
  /** Removed values stay stored, and come back with the field. Hidden ones leave delivery. */
  | { change: 'added' | 'removed' | 'hidden' | 'shown'; key: string }
  /** Values that do not fit the new type read as empty. */
  | { change: 'retyped'; key: string; from: FieldType; to: FieldType }
  /** Values that were right may not be any more, because of these options. */
  | { change: 'narrowed'; key: string; options: string[] }

export const diffFields = (before: readonly Field[], after: readonly Field[], prefix = ''): FieldChange[] => {
  const earlier = new Map(before.map((field) => [field.key, field]))
  const kept = new Set(after.map((field) => field.key))
  const removed = before.filter((field) => !kept.has(field.key))
  return [
    ...removed.map((field): FieldChange => ({ change: 'removed', key: prefix + field.key })),
    ...after.flatMap((field): FieldChange[] => {
      const old = earlier.get(field.key)
      return old ? diffField(old, field, prefix + field.key) : [{ change: 'added', key: prefix + field.key }]
    }),
  ]
}

const diffField = (before: Field, after: Field, key: string): FieldChange[] => {
  if (before.type !== after.type) return [{ change: 'retyped', key, from: before.type, to: after.type }]
  const changes: FieldChange[] = []
  if (before.hidden !== after.hidden) changes.push({ change: after.hidden ? 'hidden' : 'shown', key })
  const options = narrowedOptions(before, after)
  if (options.length > 0) changes.push({ change: 'narrowed', key, options })
  if (before.type === 'list' && after.type === 'list')
    changes.push(...diffFields(before.fields, after.fields, `${key}.`))
  return changes
}

const narrowedOptions = (before: Options, after: Field): string[] => {
  const narrows: Partial<Record<string, Narrows>> = { ...membersOfAll, ...typeOf(after).narrows }
  return Object.entries(after).flatMap(([name, value]) => (narrows[name]?.(before[name], value) ? [name] : []))
}

const membersOfAll = { required: isSwitchedOn, unique: isSwitchedOn }
