import { diffTypes } from '@stoa/cms-model/content-types.ts'
import type { FieldChange } from '@stoa/cms-model/fields/changes.ts'
import type { Field } from '@stoa/cms-model/fields/field.ts'
import { adoptedBy, isRecord, memberOf } from '@stoa/cms-model/fields/members.ts'
import { formerPaths, type Renames, renameFields } from '@stoa/cms-model/fields/renames.ts'
import { type FieldType, typeOf } from '@stoa/cms-model/fields/types/index.ts'
import type { CmsTx } from '../../context.ts'
import type { ContentType } from './content-type.ts'
import { countDuplicates } from './unique/queries.ts'
import { newlyUnique } from './unique.ts'

/** How many entries have something under this key that would no longer be shown or valid. */
export type Affected = { key: string; count: number }

/** True for a value that a change puts out of sight, or makes wrong. */
type Test = (value: unknown) => boolean
type Watch = { key: string; path: string[]; tests: Test[] }

/** A field whose values get another type: how many entries have one that stays, and how many one that reads as empty. */
export type Converted = { key: string; from: FieldType; to: FieldType; count: number; lost: number }
export type Counts = { affected: Affected[]; converted: Converted[] }

/**
 * What a change of fields means for the entries there are, outside the trash. Fields in lists count once per entry,
 * under their dot path.
 */
export const countAffected = async (
  tx: CmsTx,
  present: ContentType,
  after: Pick<ContentType, 'fields'>,
  renames: Renames,
): Promise<Counts> => {
  const before = { ...present, fields: renameFields(present.fields, renames) }
  const former = formerPaths(present.fields, renames)
  const storedAt = (key: string): string[] => (former.get(key) ?? key).split('.')
  const changes = diffTypes(before, after)
  const losses = watchesOf(changes, before.fields, after.fields, storedAt)
  const conversions = conversionsOf(changes, before.fields, after.fields, storedAt)
  const watches = [...losses, ...conversions.flatMap(({ kept, lost }) => [kept, lost])]
  const counts = new Map(watches.map((watch) => [watch, 0]))
  const topKeys = [...new Set(watches.flatMap(({ path }) => path.slice(0, 1)))]
  if (topKeys.length > 0)
    for await (const page of scanValues(tx, before.name, topKeys))
      for (const held of page)
        for (const watch of watches) if (isMet(watch, topKeys, held)) counts.set(watch, (counts.get(watch) ?? 0) + 1)
  const affected = new Map(losses.map((watch) => [watch.key, counts.get(watch) ?? 0]))
  for (const { key, count } of await duplicatesOf(tx, before, after, storedAt))
    affected.set(key, Math.max(affected.get(key) ?? 0, count))
  return {
    affected: [...affected].map(([key, count]) => ({ key, count })),
    converted: conversions.map(({ key, from, to, kept, lost }) => ({
      key,
      from,
      to,
      count: counts.get(kept) ?? 0,
      lost: counts.get(lost) ?? 0,
    })),
  }
}

/** How many entries share a value of a field that becomes unique. Stored values may still be under an earlier key. */
const duplicatesOf = async (
  tx: CmsTx,
  before: ContentType,
  after: Pick<ContentType, 'fields'>,
  storedAt: (key: string) => string[],
): Promise<Affected[]> => {
  const unique = newlyUnique(before, after)
  if (unique.length === 0) return []
  const presentKeys = new Map(unique.map(({ key }) => [storedAt(key).join('.'), key]))
  const stored = unique.map(({ key, kind }) => ({ key: storedAt(key).join('.'), kind }))
  const found = await countDuplicates(tx, before.name, stored)
  return found.map(({ key, count }) => ({ key: presentKeys.get(key) ?? key, count }))
}

const watchesOf = (
  changes: readonly FieldChange[],
  before: readonly Field[],
  after: readonly Field[],
  storedAt: (key: string) => string[],
): Watch[] => {
  const watches = new Map<string, Watch>()
  for (const change of changes) {
    const path = change.key.split('.')
    const test = testOf(change, fieldAt(before, path), fieldAt(after, path))
    if (!test) continue
    const watch = watches.get(change.key) ?? { key: change.key, path: storedAt(change.key), tests: [] }
    watch.tests.push(test)
    watches.set(change.key, watch)
  }
  return [...watches.values()]
}

type Conversion = { key: string; from: FieldType; to: FieldType; kept: Watch; lost: Watch }

/** Fields of another type, and references that hold one entry instead of several or the other way round. */
const conversionsOf = (
  changes: readonly FieldChange[],
  before: readonly Field[],
  after: readonly Field[],
  storedAt: (key: string) => string[],
): Conversion[] =>
  changes.flatMap((change) => {
    const isOther = change.change === 'retyped' || (change.change === 'narrowed' && change.options.includes('multiple'))
    const [old, next] = [before, after].map((fields) => fieldAt(fields, change.key.split('.')))
    if (!isOther || !old || !next) return []
    const watch = (isWanted: Test): Watch => ({ key: change.key, path: storedAt(change.key), tests: [isWanted] })
    const isShown: Test = (value) => isFilled(old)(value) && isRight(old, value)
    return [
      {
        key: change.key,
        from: old.type,
        to: next.type,
        kept: watch((value) => isShown(value) && isKept(next, value)),
        lost: watch((value) => isShown(value) && !isKept(next, value)),
      },
    ]
  })

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
        ? (value) => isFilled(before)(value) && isRight(before, value) && !isKept(after, value)
        : null
    case 'narrowed':
      return before && after ? isNarrowedOut(change.options, before, after) : null
  }
}

/** These options depend on other records, such as the type of a referenced entry: every entry with a value counts. */
const ELSEWHERE: ReadonlySet<string> = new Set(['to', 'accept'])

const isNarrowedOut = (options: readonly string[], before: Field, after: Field): Test => {
  const isAsked = options.includes('required')
  const isElsewhere = options.some((option) => ELSEWHERE.has(option))
  return (value) => {
    if (!isFilled(before)(value)) return isAsked && isMissing(after)(value)
    return isElsewhere || (isRight(before, value) && !isKept(after, value))
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

/** Right as it is, or after it was turned into a value of the field without losing anything. */
const isKept = (field: Field, value: unknown): boolean => isRight(field, value) || adoptedBy(field, value) !== undefined

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

/** What an entry holds under the keys asked for, in their order: as the public sees it, and with unpublished changes. */
type HeldValues = { live: unknown[]; pending: unknown[] | null }

/** Enough to keep the database busy, and little enough to stay small in memory and to let other requests through. */
const PAGE_SIZE = 500

/** The values of all entries outside the trash, page by page. */
async function* scanValues(
  tx: CmsTx,
  type: string,
  keys: readonly string[],
): AsyncGenerator<HeldValues[], void, undefined> {
  const values = (data: string) =>
    `(select jsonb_agg(${data} -> asked.key order by asked.position)
      from unnest($2::text[]) with ordinality as asked (key, position))`
  await tx.query({
    text: `declare held no scroll cursor for
      select ${values('data')} as live, case when pending is not null then ${values("(pending -> 'data')")} end as pending
      from entry where type = $1 and deleted_at is null`,
    values: [type, keys],
  })
  for (;;) {
    const page = await tx.query<HeldValues>({ text: `fetch ${PAGE_SIZE} from held` })
    if (page.length > 0) yield page
    if (page.length < PAGE_SIZE) break
  }
  await tx.query({ text: 'close held' })
}
