import { toMoment } from './calendar.ts'
import type { FieldType, Options } from './define.ts'
import type { Field } from './field.ts'

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

const narrowedOptions = (before: Options, after: Options): string[] =>
  Object.keys(after).filter((name) => narrows.get(name)?.(before[name], after[name]) ?? false)

type Narrows = (before: unknown, after: unknown) => boolean

const isRaised: Narrows = (before, after) => isSet(after) && (!isSet(before) || isLess(before, after))
const isLowered: Narrows = (before, after) => isSet(after) && (!isSet(before) || isLess(after, before))
const isSwitchedOn: Narrows = (before, after) => after === true && before !== true
const isChanged: Narrows = (before, after) => isSet(after) && after !== before
const isShortened: Narrows = (before, after) => {
  const left = new Set(namesIn(after))
  return namesIn(before).some((name) => !left.has(name))
}

const narrows: ReadonlyMap<string, Narrows> = new Map([
  ['minLength', isRaised],
  ['maxLength', isLowered],
  ['minItems', isRaised],
  ['maxItems', isLowered],
  ['min', isRaised],
  ['max', isLowered],
  ['step', isChanged],
  ['pattern', isChanged],
  ['integer', isSwitchedOn],
  ['required', isSwitchedOn],
  ['unique', isSwitchedOn],
  ['options', isShortened],
  ['accept', isShortened],
  ['protocols', isShortened],
  ['to', isChanged],
  ['multiple', isChanged],
])

const isSet = (value: unknown): boolean => value !== undefined && value !== null

/** Numbers, days, or moments, which may be written in different zones. */
const isLess = (left: unknown, right: unknown): boolean => {
  if (typeof left === 'number' && typeof right === 'number') return left < right
  if (typeof left !== 'string' || typeof right !== 'string') return false
  return (toMoment(left) ?? left) < (toMoment(right) ?? right)
}

/** The members of a list of names, or of choices. */
const namesIn = (value: unknown): unknown[] =>
  Array.isArray(value)
    ? value.map((item: unknown) => (typeof item === 'object' && item !== null && 'value' in item ? item.value : item))
    : []
