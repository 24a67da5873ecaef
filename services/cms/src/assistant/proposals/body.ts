import { isDeepStrictEqual } from 'node:util'
import type { ZodType } from 'zod'
import { failFields } from '../../errors.ts'
import type { StoredRequest } from './record.ts'

/** What a person may add to any proposal: where it goes, which version they saw, and what only they can give. */
const ADDED: ReadonlySet<string> = new Set(['mode', 'version', 'approve', 'clientSecret'])

/** Members with members of their own that can be left out one by one. */
const OPEN_MAPS: ReadonlySet<string> = new Set(['data', 'set', 'settings', 'options'])

/** Lists whose items can be left out one by one. */
const LISTS: ReadonlySet<string> = new Set(['remove', 'fields'])

type Members = Readonly<Record<string, unknown>>

export const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}

/** The proposed body as its route reads it: with defaults, and values as they are stored. */
const readProposed = ({ body }: StoredRequest, schema: ZodType | undefined): Members =>
  membersOf(schema?.safeParse(body ?? {}).data ?? body)

/**
 * Refuses members that were not proposed. Values may be others: the person has read them. What a route fills in by itself
 * was not sent.
 */
export const refuseOtherMembers = (request: StoredRequest, body: unknown, schema: ZodType | undefined): void => {
  const proposed = membersOf(request.body)
  const filled = readProposed(request, schema)
  const sent = membersOf(body)
  const others = Object.entries(sent).flatMap(([key, value]) => {
    if (value === undefined || (ADDED.has(key) && !Object.hasOwn(proposed, key))) return []
    if (!Object.hasOwn(proposed, key)) return isDeepStrictEqual(value, filled[key]) ? [] : [key]
    if (OPEN_MAPS.has(key)) return othersOf(Object.keys(membersOf(value)), Object.keys(membersOf(proposed[key])), key)
    return LISTS.has(key) ? othersOf(namesIn(value), namesIn(proposed[key]), key) : []
  })
  if (others.length > 0) failFields(others.map((key) => ({ key, message: "isn't part of the proposal" })))
  const left = [
    ...(request.isWhole ? Object.keys(proposed).filter((key) => sent[key] === undefined) : []),
    ...keptFields(request, sent),
  ]
  if (left.length > 0)
    failFields(left.map((key) => ({ key, message: "is part of the proposal and can't be left out" })))
}

/** Items by what they are about: `remove: ["accent"]`, `fields: [{ key: "summary" }]`. */
const namesIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.map((item) => String(membersOf(item).key ?? item)) : []

/** Fields that a type has are sent with the new ones: leaving one out would remove it. */
const keptFields = ({ record, keep = [] }: StoredRequest, { fields }: Members): string[] =>
  record?.kind === 'type' && fields !== undefined
    ? keep.filter((key) => !namesIn(fields).includes(key)).map((key) => `fields.${key}`)
    : []

const othersOf = (names: readonly string[], proposed: readonly string[], key: string): string[] =>
  names.filter((name) => !proposed.includes(name)).map((name) => `${key}.${name}`)

/** Whether the person changed a value. To leave one out is no change of it. */
export const isEditedBody = (request: StoredRequest, body: unknown, schema: ZodType | undefined): boolean => {
  const proposed = readProposed(request, schema)
  const keys = Object.keys(membersOf(request.body)).filter((key) => !ADDED.has(key))
  const sent = membersOf(body)
  return keys.some((key) => {
    if (sent[key] === undefined || key === 'remove') return false
    if (!OPEN_MAPS.has(key)) return !isDeepStrictEqual(sent[key], proposed[key])
    const before = membersOf(proposed[key])
    return Object.entries(membersOf(sent[key])).some(([name, value]) => !isDeepStrictEqual(value, before[name]))
  })
}
