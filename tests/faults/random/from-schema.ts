import type { ApiDocument, Schema } from '@stoa/kit/http/openapi.ts'
import type { Dice } from './dice.ts'
import { garbageNumber, garbageText, garbageValue } from './garbage.ts'

/** A value of the right kind for a member of this name; undefined when nobody knows better than the schema. */
export type Hint = (name: string, dice: Dice) => unknown

type Around = { document: ApiDocument; hint: Hint; dice: Dice; depth: number; name: string }

const MAX_DEPTH = 6

/** A value that the schema allows, more or less: patterns and rules beyond JSON Schema are met by hints. */
export const sampleOf = (schema: Schema, around: Around): unknown => {
  const { dice, depth, name, hint } = around
  const known = hint(name, dice)
  if (known !== undefined && dice.chance(0.9)) return known
  if (depth > MAX_DEPTH) return null
  const inner: Around = { ...around, depth: depth + 1 }
  const { $ref, anyOf, oneOf, allOf, enum: options, const: only, type } = schema
  if (typeof $ref === 'string') return sampleOf(resolve($ref, around.document), inner)
  if (only !== undefined) return only
  if (Array.isArray(options)) return dice.pickAny(options)
  const variants = [anyOf, oneOf, allOf].find(Array.isArray)
  if (variants) return sampleOf(asSchema(dice.pickAny(variants)), inner)
  switch (Array.isArray(type) ? dice.pickAny(type) : type) {
    case 'object':
      return objectOf(schema, inner)
    case 'array':
      return Array.from({ length: dice.int(0, 3) }, () => sampleOf(asSchema(schema.items), inner))
    case 'string':
      return textOf(schema, dice)
    case 'integer':
    case 'number':
      return dice.chance(0.2) ? garbageNumber(dice) : dice.int(Number(schema.minimum ?? 0), 20)
    case 'boolean':
      return dice.chance(0.5)
    case 'null':
      return null
    default:
      return garbageValue(dice, 2)
  }
}

/** `#/components/schemas/Name`, and what a schema may refer to inside of itself. */
const resolve = (reference: string, document: ApiDocument): Schema => {
  let found: unknown = document
  for (const part of reference.replace(/^#\//, '').split('/')) found = Reflect.get(Object(found), part)
  return asSchema(found)
}

const objectOf = (schema: Schema, around: Around): Record<string, unknown> => {
  const { dice } = around
  const required = Array.isArray(schema.required) ? schema.required : []
  const members = Object.entries(Object(schema.properties)).filter(
    ([name]) => required.includes(name) || dice.chance(0.4),
  )
  return Object.fromEntries(members.map(([name, member]) => [name, sampleOf(asSchema(member), { ...around, name })]))
}

const WORDS = ['alpha', 'beta', 'gamma', 'News of today', 'Über uns', '日本語', 'a-b', 'x'] as const

const textOf = ({ format }: Schema, dice: Dice): string => {
  if (dice.chance(0.15)) return garbageText(dice)
  if (format === 'uuid') return '01890a5d-ac96-774b-bcce-b302099a8057'
  if (format === 'date-time') return new Date(Date.now() + dice.int(-5, 5) * 60_000).toISOString()
  return dice.pick(WORDS)
}

const asSchema = (value: unknown): Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {}
