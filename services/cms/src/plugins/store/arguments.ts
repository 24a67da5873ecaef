import { createHash } from 'node:crypto'
import type { PluginManifest } from '@stoa/cms-model/plugin-manifest.ts'
import { z } from 'zod'
import { fail } from '../../errors.ts'
import type { Json } from '../sandbox/sandbox.ts'
import type { After, Condition, Order } from './queries.ts'

export type Collection = PluginManifest['collections'][number]

const MAX_DOCUMENT_BYTES = 256 * 1024
/** The limit of an indexed member's text. */
const MAX_INDEX_TEXT = 500
/** Equal to the limit of any body of the service. */
const MAX_DEPTH = 64
const DEFAULT_LIMIT = 50
const MAX_LIMIT = 100
const MAX_CURSOR_LENGTH = 20_000

const refuse = (message: string): never => fail('VALIDATION_FAILED', { message })

export const collectionOf = (collections: readonly Collection[], name: Json | undefined): Collection =>
  collections.find((one) => one.name === name) ??
  refuse(`The collection ${quote(name)} doesn't exist. Declare it in plugin.json.`)

export const idOf = (id: Json | undefined): string =>
  typeof id === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(id)
    ? id
    : refuse('The ID of a document must be 1 to 64 letters, digits, hyphens and underscores')

/** A document as it is stored: its text, and what lists read of it. */
export const documentOf = (collection: Collection, value: Json | undefined): { value: string; indexed: string } => {
  if (!isObject(value)) return refuse('A document must be an object')
  refuseUnstorable(value, 0)
  const text = JSON.stringify(value)
  if (Buffer.byteLength(text) > MAX_DOCUMENT_BYTES)
    return fail('PAYLOAD_TOO_LARGE', {
      message: 'A document can have up to 256 KiB',
      details: { limit: MAX_DOCUMENT_BYTES },
    })
  const indexed = collection.indexes.map((name) => [name, indexValue(name, memberOf(value, name))])
  return { value: text, indexed: JSON.stringify(Object.fromEntries(indexed)) }
}

const versionOption = z.strictObject({ ifVersion: z.int().min(0).nullish() }).nullish()

/** The version that a write is for; 0: there must be none yet. Null: whatever there is. */
export const ifVersionOf = (options: Json | undefined): number | null =>
  parse(versionOption, options, 'ifVersion')?.ifVersion ?? null

const scalar = z.union([z.string().max(MAX_INDEX_TEXT), z.number(), z.boolean(), z.null()])

const listOptions = z
  .strictObject({
    where: z.record(z.string(), z.union([scalar, z.array(scalar).max(MAX_LIMIT)])).nullish(),
    sort: z.string().nullish(),
    limit: z.int().min(1).max(MAX_LIMIT).nullish(),
    cursor: z.string().max(MAX_CURSOR_LENGTH).nullish(),
  })
  .nullish()

export type List = { where: Condition[]; order: Order; limit: number; after: After | null; mark: string }

export const listOf = (collection: Collection, options: Json | undefined): List => {
  if (options !== undefined) refuseUnstorable(options, 0)
  const { where, sort, limit, cursor } = parse(listOptions, options, 'list') ?? {}
  const conditions = Object.entries(where ?? {}).map(([name, wanted]) => ({
    index: indexOf(collection, name),
    values: Array.isArray(wanted) ? wanted : [wanted],
  }))
  const isDescending = sort?.startsWith('-') ?? false
  const index = sort ? indexOf(collection, isDescending ? sort.slice(1) : sort) : null
  const mark = markOf(collection, conditions, sort)
  return {
    where: conditions,
    order: { index, isDescending },
    limit: limit ?? DEFAULT_LIMIT,
    after: cursor ? readCursor(cursor, mark) : null,
    mark,
  }
}

/** The cursor of the next page; valid for this list only. */
export const writeCursor = ({ key, id }: After, mark: string): string =>
  Buffer.from(JSON.stringify([mark, key, id])).toString('base64url')

const cursorShape = z.tuple([z.string(), z.json(), z.string().regex(/^[A-Za-z0-9_-]{1,64}$/)])

const readCursor = (cursor: string, mark: string): After => {
  const parsed = cursorShape.safeParse(jsonIn(cursor))
  if (!parsed.success || parsed.data[0] !== mark)
    return refuse('The cursor belongs to another list. Send the same where and sort as before.')
  const [, key, id] = parsed.data
  refuseUnstorable(key, 0)
  return { key, id }
}

const jsonIn = (cursor: string): unknown => {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    return null
  }
}

const markOf = (collection: Collection, where: readonly Condition[], sort: string | null | undefined): string =>
  createHash('sha256')
    .update(JSON.stringify([collection.name, where, sort ?? null]))
    .digest('base64url')
    .slice(0, 16)

const indexOf = (collection: Collection, name: string): string =>
  collection.indexes.includes(name)
    ? name
    : refuse(`The collection ${collection.name} has no index ${quote(name)}. Declare it in plugin.json.`)

const indexValue = (name: string, value: Json | undefined): Json => {
  if (value === undefined || value === null || typeof value === 'boolean' || typeof value === 'number')
    return value ?? null
  if (typeof value !== 'string') return refuse(`${name} is an index: it must be text, a number, true, false or null`)
  return value.length <= MAX_INDEX_TEXT
    ? value
    : refuse(`${name} is an index: its text must have at most ${MAX_INDEX_TEXT} characters`)
}

/** PostgreSQL holds neither U+0000 nor a lone surrogate, and nobody merges a name into what every object has. */
const refuseUnstorable = (value: Json, depth: number): void => {
  if (typeof value === 'string') refuseText(value)
  else if (typeof value === 'object' && value !== null) {
    if (depth >= MAX_DEPTH) refuse('The value is nested too deeply')
    if (isList(value)) for (const item of value) refuseUnstorable(item, depth + 1)
    else for (const [name, item] of Object.entries(value)) refuseMember(name, item, depth)
  }
}

const refuseMember = (name: string, value: Json, depth: number): void => {
  if (name === '__proto__' || (name === 'constructor' && isObject(value) && Object.hasOwn(value, 'prototype')))
    refuse(`A property can't be named ${quote(name)} here`)
  refuseText(name)
  refuseUnstorable(value, depth + 1)
}

const refuseText = (text: string): void => {
  if (text.includes('\u0000') || !text.isWellFormed()) refuse("The value contains a character that can't be stored")
}

const parse = <S extends z.ZodType>(schema: S, value: Json | undefined, what: string): z.output<S> => {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  return refuse(`${[what, ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? 'is not valid'}`)
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)

const isObject = (value: Json | undefined): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const memberOf = (value: { readonly [name: string]: Json }, name: string): Json | undefined =>
  Object.hasOwn(value, name) ? value[name] : undefined

const quote = (name: unknown): string => `"${String(name).slice(0, 100)}"`
