import { z } from 'zod'
import { invalid } from './fault.ts'

export type FormValue = string | FormValue[] | { [key: string]: FormValue }
export type Form = { [key: string]: FormValue }

/** `a[b][0]=c` as an object; names that are 0, 1, 2 … make a list. */
export const parseForm = (text: string): Form => {
  const root: Form = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) put(root, pathOf(name), value)
  return Object.fromEntries(Object.entries(root).map(([key, value]) => [key, asLists(value)]))
}

const pathOf = (name: string): string[] => {
  const [, head, rest] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name) ?? []
  if (head === undefined || rest === undefined) throw invalid(`Invalid parameter name: ${name}`, { param: name })
  return [head, ...[...rest.matchAll(/\[([^[\]]*)\]/g)].map(([, part = '']) => part)]
}

const put = (root: Form, path: readonly string[], value: string): void => {
  let place = root
  for (const [at, part] of path.entries()) {
    const key = part === '' ? String(Object.keys(place).length) : part
    if (at === path.length - 1) {
      place[key] = value
      return
    }
    const next = place[key]
    if (typeof next === 'string') throw invalid('Invalid object', { param: path[0] ?? '' })
    const inner: Form = (next as Form | undefined) ?? Object.create(null)
    place[key] = inner
    place = inner
  }
}

const asLists = (value: FormValue): FormValue => {
  if (typeof value === 'string' || Array.isArray(value)) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, asLists(inner)] as const)
  if (entries.length > 0 && entries.every(([key], at) => key === String(at))) return entries.map(([, inner]) => inner)
  return Object.fromEntries(entries)
}

const MAX_TEXT = 5_000
export const text = z.string().min(1, 'empty').max(MAX_TEXT)
/** Can be unset with an empty value. */
export const unsettable = z
  .string()
  .max(MAX_TEXT)
  .transform((value) => (value === '' ? null : value))
export const integer = z
  .string()
  .regex(/^-?\d{1,15}$/, 'integer')
  .transform(Number)
export const flag = z.enum(['true', 'false'], { error: 'boolean' }).transform((value) => value === 'true')
export const oneOf = <const T extends readonly [string, ...string[]]>(...values: T) => z.enum(values)
/** An empty value of a name removes it, an empty whole removes all. */
export const metadata = z.union([z.literal(''), z.record(z.string().max(40), z.string().max(500))])
export const address = z.strictObject({
  city: z.string().optional(),
  country: z.string().optional(),
  line1: z.string().optional(),
  line2: z.string().optional(),
  postal_code: z.string().optional(),
  state: z.string().optional(),
})
const range = z.union([integer, z.strictObject({ gt: integer, gte: integer, lt: integer, lte: integer }).partial()])
export type Range = z.output<typeof range>

const expand = { expand: z.array(z.string()).optional() }
export const params = <T extends z.ZodRawShape>(shape: T) => z.strictObject({ ...shape, ...expand })
export const listParams = <T extends z.ZodRawShape>(shape: T) =>
  params({
    ...shape,
    created: range.optional(),
    limit: integer.optional(),
    starting_after: text.optional(),
    ending_before: text.optional(),
  })

/** The parameters, or the refusal that Stripe gives. */
export const check = <T extends z.ZodType>(shape: T, form: Form): z.output<T> => {
  const result = shape.safeParse(form)
  if (result.success) return result.data
  throw refusal(result.error.issues, form)
}

const refusal = (issues: readonly z.core.$ZodIssue[], form: Form) => {
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]
  if (!issue) return invalid('Invalid request')
  if (issue.code === 'unrecognized_keys') {
    const param = nameOf([...issue.path, issue.keys[0] ?? ''])
    return invalid(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param })
  }
  const param = nameOf(issue.path)
  const value = issue.path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown>)?.[key], form)
  if (value === undefined) {
    return invalid(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
  }
  if (issue.message === 'integer') {
    return invalid(`Invalid integer: ${String(value)}`, { code: 'parameter_invalid_integer', param })
  }
  if (value === '') {
    return invalid(`You passed an empty string for '${param}'. We assume empty values are an attempt to unset it.`, {
      code: 'parameter_invalid_empty',
      param,
    })
  }
  if (issue.code === 'invalid_value') {
    return invalid(`Invalid ${param}: must be one of ${issue.values.join(', ')}`, { param })
  }
  return invalid(typeof value === 'string' ? `Invalid ${param}` : 'Invalid string or object', { param })
}

const nameOf = ([head, ...rest]: readonly PropertyKey[]): string =>
  `${String(head ?? '')}${rest.map((key) => `[${String(key)}]`).join('')}`

/** Sets, and with an empty value removes. */
export const mergeMetadata = (
  before: Record<string, string>,
  change: z.output<typeof metadata> | undefined,
): Record<string, string> => {
  if (change === undefined) return before
  if (change === '') return {}
  return Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== ''))
}
