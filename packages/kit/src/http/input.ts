import { issueText } from '@stoa/issue-text/issue-text.ts'
import type { ZodType } from 'zod'
import type { $ZodIssue } from 'zod/v4/core'
import { fault, type InputIssue } from '../errors.ts'

/** Enough to fix a request; a long list of wrong items must not come back as an answer ten times as long. */
const MAX_ISSUES = 100
const MAX_PATH_LENGTH = 200

/** Checks one part of a request against its schema; what is wrong with it is reported together. */
export const parseInput = (schema: ZodType | undefined, value: unknown, where: InputIssue['where']): unknown => {
  if (!schema) return undefined
  const result = schema.safeParse(value, { error: issueText })
  if (result.success) return result.data
  const issues = result.error.issues.slice(0, MAX_ISSUES).flatMap((issue) => toIssues(issue, value, where))
  throw fault('invalid_input', { issues: issues.slice(0, MAX_ISSUES) })
}

const toIssues = (issue: $ZodIssue, value: unknown, where: InputIssue['where']): InputIssue[] => {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.slice(0, MAX_ISSUES).map((key) => ({
      where,
      path: dotPath([...issue.path, key]),
      reason: 'unknown',
      message: "isn't a known field",
    }))
  if (issue.code === 'custom' && issue.params?.unsupported === true)
    return [{ where, path: dotPath(issue.path), reason: 'unsupported', message: issue.message }]
  const missing = issue.path.length > 0 && valueAt(value, issue.path) === undefined
  return [
    {
      where,
      path: dotPath(issue.path),
      reason: missing ? 'missing' : 'invalid',
      message: missing && issue.code !== 'custom' ? 'is required' : issue.message,
    },
  ]
}

const dotPath = (path: readonly PropertyKey[]): string => path.join('.').slice(0, MAX_PATH_LENGTH)

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key) ? Reflect.get(inner, key) : undefined,
    value,
  )
