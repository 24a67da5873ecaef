import type { Problem } from '../request/problem.ts'

export type FieldErrors<V> = Partial<Record<keyof V & string, string>>

/** Splits a problem into messages beside inputs and what no input of this form can show. */
export const splitProblem = <V extends object>(
  problem: Problem,
  values: V,
): { errors: FieldErrors<V>; message: string | undefined } => {
  const errors: FieldErrors<V> = {}
  const homeless: string[] = []
  for (const field of problem.fields) {
    const name = fieldNamed(field.key, values)
    if (name === undefined) homeless.push(`${field.key}: ${field.message}`)
    else errors[name] ??= field.message
  }
  const placed = Object.keys(errors).length > 0
  if (homeless.length > 0) return { errors, message: [problem.message, ...homeless].join('\n') }
  return { errors, message: placed ? undefined : problem.message }
}

// A nested key such as `items.2.url` belongs to the input `items`
const fieldNamed = <V extends object>(key: string, values: V): (keyof V & string) | undefined => {
  const names = Object.keys(values).filter((name): name is keyof V & string => name in values)
  return names.find((name) => key === name || key.startsWith(`${name}.`))
}

/** Whether two sets of values differ, by content. */
export const differs = (a: unknown, b: unknown): boolean => {
  if (Object.is(a, b)) return false
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return true
  if (Array.isArray(a) !== Array.isArray(b)) return true
  const left = Object.entries(a)
  const right = new Map<string, unknown>(Object.entries(b))
  return left.length !== right.size || left.some(([key, value]) => !right.has(key) || differs(value, right.get(key)))
}
