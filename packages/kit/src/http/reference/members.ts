import type { ApiDocument, Schema } from '../openapi.ts'

/** A member as a table shows it; those inside of others by their path. */
export type MemberRow = { path: string; type: string; isRequired: boolean; limits: string }

/** Deeper ones, and those of a longer table, are for programs to read. */
const MAX_DEPTH = 3
const MAX_ROWS = 80
const MAX_CHOICES = 30

/** The members that a schema describes. */
export const memberRows = (api: ApiDocument, schema: Schema): MemberRow[] => {
  const rows: MemberRow[] = []
  addMembers(api, { schema, path: '', depth: 0 }, rows)
  return rows.slice(0, MAX_ROWS)
}

type Described = { schema: Schema; path: string; depth: number }

const addMembers = (api: ApiDocument, { schema, path, depth }: Described, rows: MemberRow[]): void => {
  if (depth > MAX_DEPTH || rows.length >= MAX_ROWS) return
  const whole = resolve(api, schema)
  for (const variant of variantsOf(whole)) addMembers(api, { schema: variant, path, depth }, rows)
  if (isRecord(whole.items)) addMembers(api, { schema: whole.items, path: `${path}[]`, depth }, rows)
  const required = Array.isArray(whole.required) ? whole.required : []
  for (const [name, member] of Object.entries(isRecord(whole.properties) ? whole.properties : {})) {
    if (!isRecord(member)) continue
    const at = path === '' ? name : `${path}.${name}`
    if (rows.some((row) => row.path === at)) continue
    const resolved = resolve(api, member)
    rows.push({
      path: at,
      type: typeOf(api, resolved),
      isRequired: required.includes(name),
      limits: limitsOf(resolved),
    })
    addMembers(api, { schema: resolved, path: at, depth: depth + 1 }, rows)
  }
}

const variantsOf = ({ anyOf, oneOf, allOf }: Schema): Schema[] =>
  [anyOf, oneOf, allOf].filter(Array.isArray).flat().filter(isRecord)

const typeOf = (api: ApiDocument, schema: Schema, depth = 0): string => {
  if (Array.isArray(schema.enum)) return shorten(schema.enum.map(show))
  if ('const' in schema) return show(schema.const)
  const variants = variantsOf(schema)
  if (variants.length > 0)
    return shorten([...new Set(variants.map((variant) => typeOf(api, resolve(api, variant), depth)))])
  if (schema.type === 'array') {
    const isShown = depth < MAX_DEPTH && isRecord(schema.items)
    return isShown && isRecord(schema.items) ? `list of ${typeOf(api, resolve(api, schema.items), depth + 1)}` : 'list'
  }
  if (Array.isArray(schema.type)) return schema.type.join(' | ')
  if (typeof schema.type !== 'string') return 'any'
  return typeof schema.format === 'string' ? `${schema.type} (${schema.format})` : schema.type
}

const shorten = (choices: readonly string[]): string =>
  choices.length > MAX_CHOICES ? `${choices.slice(0, MAX_CHOICES).join(' | ')} | …` : choices.join(' | ')

const show = (value: unknown): string => JSON.stringify(value) ?? ''

const limitsOf = (schema: Schema): string => {
  const limits = [
    rangeOf(schema.minLength, schema.maxLength, ' characters'),
    rangeOf(schema.minItems, schema.maxItems, ' items'),
    rangeOf(schema.minimum, schema.maximum, ''),
  ]
  const preset = schema.default === undefined ? '' : `default ${show(schema.default)}`
  return [...limits, preset].filter((limit) => limit !== '').join(', ')
}

const rangeOf = (least: unknown, most: unknown, unit: string): string => {
  const from = isLimit(least) && least !== 0 ? least : null
  const to = isLimit(most) ? most : null
  if (from !== null && to !== null) return from === to ? `${from}${unit}` : `${from} to ${to}${unit}`
  if (to !== null) return `up to ${to}${unit}`
  return from === null ? '' : `at least ${from}${unit}`
}

/** Schema libraries add the safe-integer bounds by themselves: they are not limits that a route sets. */
const isLimit = (value: unknown): value is number =>
  typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER

const resolve = ({ components }: ApiDocument, schema: Schema): Schema => {
  const place = typeof schema.$ref === 'string' ? schema.$ref.slice(2).split('/') : []
  if (place.length === 0) return schema
  const found = place.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), { components })
  return isRecord(found) ? found : {}
}

const isRecord = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
