import { diffTypes } from '@stoa/cms-model/content-types.ts'
import type { FieldChange } from '@stoa/cms-model/fields/changes.ts'
import type { Field } from '@stoa/cms-model/fields/field.ts'
import { typeOf } from '@stoa/cms-model/fields/index.ts'
import { isRecord, memberOf } from '@stoa/cms-model/fields/members.ts'
import type { CmsTx } from '../context.ts'
import { type HeldValues, scanValues } from './affected/queries.ts'
import type { ContentType } from './types.ts'
import { countDuplicates } from './unique/queries.ts'
import { newlyUnique } from './unique.ts'

/** How many entries have something under this key that would no longer be shown or valid. */
export type Affected = { key: string; count: number }

/** True for a value that a change puts out of sight, or makes wrong. */
type Test = (value: unknown) => boolean
type Watch = { key: string; path: string[]; tests: Test[] }

/**
 * What a change of fields means for the entries there are, outside the trash. Fields in lists count once per entry,
 * under their dot path.
 */
export const countAffected = async (
  tx: CmsTx,
  before: ContentType,
  after: Pick<ContentType, 'fields'>,
): Promise<Affected[]> => {
  const watches = watchesOf(before.fields, after.fields)
  const topKeys = [...new Set(watches.flatMap(({ path }) => path.slice(0, 1)))]
  const counts = new Map(watches.map(({ key }) => [key, 0]))
  if (topKeys.length > 0)
    for await (const page of scanValues(tx, before.name, topKeys))
      for (const held of page)
        for (const { key } of watches.filter((watch) => isMet(watch, topKeys, held)))
          counts.set(key, (counts.get(key) ?? 0) + 1)
  const unique = newlyUnique(before, after)
  if (unique.length > 0)
    for (const { key, count } of await countDuplicates(tx, before.name, unique))
      counts.set(key, Math.max(counts.get(key) ?? 0, count))
  return [...counts].map(([key, count]) => ({ key, count }))
}

const watchesOf = (before: readonly Field[], after: readonly Field[]): Watch[] => {
  const watches = new Map<string, Watch>()
  for (const change of diffTypes({ fields: [...before] }, { fields: [...after] })) {
    const path = change.key.split('.')
    const test = testOf(change, fieldAt(before, path), fieldAt(after, path))
    if (!test) continue
    const watch = watches.get(change.key) ?? { key: change.key, path, tests: [] }
    watch.tests.push(test)
    watches.set(change.key, watch)
  }
  return [...watches.values()]
}

const testOf = (change: FieldChange, before: Field | undefined, after: Field | undefined): Test | null => {
  switch (change.change) {
    case 'shown':
      return null
    case 'added':
      return after?.required ? isMissing(after) : null
    case 'removed':
    case 'hidden':
      return before ? isFilled(before) : null
    case 'retyped':
      return before && after
        ? (value) => isFilled(before)(value) && isRight(before, value) && !isRight(after, value)
        : null
    case 'narrowed':
      return before && after ? isNarrowedOut(change.options, before, after) : null
  }
}

/** What only other records can tell, such as the type of an entry that is pointed to, counts wherever there is a value. */
const ELSEWHERE: ReadonlySet<string> = new Set(['to', 'accept'])

const isNarrowedOut = (options: readonly string[], before: Field, after: Field): Test => {
  const isAsked = options.includes('required')
  const isElsewhere = options.some((option) => ELSEWHERE.has(option))
  return (value) => {
    if (!isFilled(before)(value)) return isAsked && isMissing(after)(value)
    return isElsewhere || (isRight(before, value) && !isRight(after, value))
  }
}

const isFilled =
  (field: Field): Test =>
  (value) =>
    value !== undefined && !typeOf(field).isEmpty(value)

const isMissing =
  (field: Field): Test =>
  (value) =>
    !isFilled(field)(value) || !isRight(field, value)

const isRight = (field: Field, value: unknown): boolean => typeOf(field).check(value, field, '').length === 0

const isMet = ({ path, tests }: Watch, topKeys: readonly string[], { live, pending }: HeldValues): boolean => {
  const [top = '', ...rest] = path
  const index = topKeys.indexOf(top)
  return [live, pending].some(
    (values) =>
      values !== null && valuesAt(values[index], rest).some((value) => tests.some((isAffected) => isAffected(value))),
  )
}

/** The values at a path through lists: one per item. */
const valuesAt = (value: unknown, path: readonly string[]): unknown[] => {
  const [key, ...rest] = path
  if (key === undefined) return [value]
  const items = Array.isArray(value) ? value.filter(isRecord) : []
  return items.flatMap((item) => valuesAt(memberOf(item, key), rest))
}

const fieldAt = (fields: readonly Field[], path: readonly string[]): Field | undefined => {
  const [key, ...rest] = path
  const field = fields.find((candidate) => candidate.key === key)
  if (rest.length === 0) return field
  return field?.type === 'list' ? fieldAt(field.fields, rest) : undefined
}
