import type { ZodType } from 'zod'
import type { $ZodIssue } from 'zod/v4/core'
import { fault, type InputIssue } from '../errors.ts'

/** Checks one part of a request against its schema; all that is wrong with it is reported together. */
export const parseInput = (schema: ZodType | undefined, value: unknown, where: InputIssue['where']): unknown => {
  if (!schema) return undefined
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw fault('invalid_input', { issues: result.error.issues.flatMap((issue) => toIssues(issue, value, where)) })
}

const toIssues = (issue: $ZodIssue, value: unknown, where: InputIssue['where']): InputIssue[] => {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      where,
      path: [...issue.path, key].join('.'),
      reason: 'unknown',
      message: 'is not a known member',
    }))
  const missing = issue.path.length > 0 && valueAt(value, issue.path) === undefined
  return [
    {
      where,
      path: issue.path.join('.'),
      reason: missing ? 'missing' : 'invalid',
      message: missing ? 'is required' : issue.message,
    },
  ]
}

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  )
