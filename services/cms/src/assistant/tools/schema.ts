import { z } from 'zod'
import type { Json } from '../../people/call-route/call-route.ts'
import type { Tool } from './tool.ts'

export type JsonSchema = {
  readonly type?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly additionalProperties?: boolean
  readonly [keyword: string]: unknown
}

const known = new WeakMap<Tool, JsonSchema>()

/** The schema of a tool's input that is sent to a model: plain types and enums, which every provider understands. */
export const schemaOf = (tool: Tool): JsonSchema => {
  const ready = known.get(tool)
  if (ready) return ready
  const made = plain(z.toJSONSchema(tool.input, { io: 'input' }) as JsonSchema)
  known.set(tool, made)
  return made
}

const plain = (schema: JsonSchema): JsonSchema => {
  const { $schema, propertyNames, properties, required, items, additionalProperties, ...rest } = schema
  const keywords = Object.fromEntries(Object.entries(rest).filter(([, value]) => !isNoLimit(value)))
  if (schema.type === 'array') return { ...keywords, ...(items && { items: plain(items) }) }
  if (schema.type !== 'object') return keywords
  if (additionalProperties !== false) return { ...keywords, additionalProperties: true }
  const members = Object.entries(properties ?? {}).map(([key, member]) => [key, plain(member)] as const)
  return {
    ...keywords,
    properties: Object.fromEntries(members),
    required: required ?? [],
    additionalProperties: false,
  }
}

/** Every whole number that JavaScript has. */
const isNoLimit = (value: unknown): boolean => value === Number.MAX_SAFE_INTEGER || value === Number.MIN_SAFE_INTEGER

/**
 * Arguments as a model meant them: JSON that came as text is read once, numbers and switches that came as text become
 * what the schema declares, and null for what may be left out is left out. Whatever else is wrong stays, to be refused.
 */
export const repairArguments = (tool: Tool, args: Json | undefined): Json => {
  const isNothing = args === undefined || args === null || args === ''
  return repair(schemaOf(tool), isNothing ? {} : args)
}

const repair = (schema: JsonSchema, value: Json): Json => {
  switch (schema.type) {
    case 'integer':
    case 'number':
      return typeof value === 'string' && NUMBER.test(value.trim()) ? Number(value) : value
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : value
    case 'array': {
      const list = typeof value === 'string' ? (parsed(value) ?? value) : value
      const { items } = schema
      return Array.isArray(list) && items ? list.map((item: Json) => repair(items, item)) : list
    }
    case 'object':
      return repairObject(schema, typeof value === 'string' ? (parsed(value) ?? value) : value)
    default:
      return value
  }
}

const repairObject = ({ properties = {}, required = [] }: JsonSchema, value: Json): Json => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const members = Object.entries(value).flatMap(([key, member]): [string, Json][] => {
    const schema = Object.hasOwn(properties, key) ? properties[key] : undefined
    if (!schema) return [[key, member]]
    return member === null && !required.includes(key) ? [] : [[key, repair(schema, member)]]
  })
  return Object.fromEntries(members)
}

const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/

/** A list or an object that is written in a text; null for any other text. */
const parsed = (text: string): Json | null => {
  try {
    const value: Json = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch (raised) {
    if (raised instanceof SyntaxError) return null
    throw raised
  }
}
