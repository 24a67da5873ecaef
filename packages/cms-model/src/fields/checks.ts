import { z } from 'zod'
import { plainText } from '../html/escape.ts'
import type { Problem } from './define.ts'
import { MAX_PATTERN_VALUE_LENGTH, matchesPattern, patternProblem } from './pattern.ts'

/** A repeater, gallery or set of choices with more is a content type of its own. */
export const MAX_ITEMS = 1000
/** Per value: enough to find an entry by, and little enough to index. */
export const MAX_SEARCH_TEXT = 50_000
/** In UTF-8, as stored: what every read and every revision of the entry carries. The one bound of long text and JSON. */
export const MAX_DATA_BYTES = 2 * 1_048_576

export const problem = (path: string, message: string): Problem[] => [{ key: path, message }]

const length = z.int().min(0).max(MAX_DATA_BYTES)

/** Options of the text kinds. The whole value has to match the pattern. */
export const textOptions = {
  minLength: length.optional(),
  maxLength: length.optional(),
  pattern: z
    .string()
    .min(1, 'must not be empty; leave it out instead')
    .superRefine((pattern, context) => {
      const message = patternProblem(pattern)
      if (message !== null) context.addIssue({ code: 'custom', message })
    })
    .optional(),
}
export type TextOptions = {
  minLength?: number | undefined
  maxLength?: number | undefined
  pattern?: string | undefined
}

export const checkTextOptions = (options: TextOptions): Problem[] =>
  checkOrder('maxLength', options.minLength, options.maxLength)

/** Whether it is text that can be stored. */
export const checkString = (value: unknown, path: string): Problem[] => {
  if (typeof value !== 'string') return problem(path, 'must be text')
  return isStorable(value) ? [] : problem(path, "contains a character that can't be stored; remove it")
}

/** Whether the text, as people see it, is as long as the options say and of their pattern. */
export const checkLength = (text: string, options: TextOptions, path: string): Problem[] => {
  const { minLength, maxLength, pattern } = options
  if (minLength !== undefined && text.length < minLength)
    return problem(path, `must have at least ${minLength} ${charactersOf(minLength)}`)
  if (maxLength !== undefined && text.length > maxLength)
    return problem(path, `must have at most ${maxLength} ${charactersOf(maxLength)}`)
  if (pattern === undefined) return []
  if (text.length > MAX_PATTERN_VALUE_LENGTH)
    return problem(path, `must have at most ${MAX_PATTERN_VALUE_LENGTH} characters`)
  return matchesPattern(pattern, text) ? [] : problem(path, "doesn't match the required format")
}

/** Text of any length, with what the options ask of it. */
export const checkLongText = (value: unknown, options: TextOptions, path: string): Problem[] => {
  const problems = checkString(value, path)
  if (problems.length > 0 || typeof value !== 'string' || value === '') return problems
  return checkLength(value, options, path)
}

/** PostgreSQL text holds neither U+0000 nor half a surrogate pair. */
export const isStorable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed()

/** Text on one line: line breaks and tabs become spaces. */
export const onOneLine = (value: unknown): unknown =>
  typeof value === 'string' ? plainText(value).replace(/[\t\n\u2028\u2029]+/g, ' ') : value

export const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value)

/** A form sends an empty text for what has not been chosen. */
export const trimmedOrNull = (value: unknown): unknown => {
  const text = trimmed(value)
  return text === '' ? null : text
}

/** A number as text: nothing of it is lost. */
export const numberAsText = (value: unknown): string | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined

export const isNothing = (value: unknown): boolean => value === null || value === undefined
export const isNoText = (value: unknown): boolean =>
  isNothing(value) || (typeof value === 'string' && value.trim() === '')
export const isNoItem = (value: unknown): boolean => isNothing(value) || (Array.isArray(value) && value.length === 0)

/** What a value says to the search; anything that is not text says nothing. */
export const searchable = (value: unknown): string => (typeof value === 'string' ? value.slice(0, MAX_SEARCH_TEXT) : '')

const count = z.int().min(0).max(MAX_ITEMS)
export const countOptions = { minItems: count.optional(), maxItems: count.optional() }
export type CountOptions = { minItems?: number | undefined; maxItems?: number | undefined }

export const checkCountOptions = (options: CountOptions): Problem[] =>
  checkOrder('maxItems', options.minItems, options.maxItems)

/** Whether it is a list with as many items as the options say. */
export const checkCount = (value: unknown, options: CountOptions, path: string): Problem[] => {
  if (!Array.isArray(value)) return problem(path, 'must be a list')
  if (value.length === 0) return []
  const { minItems = 0, maxItems = MAX_ITEMS } = options
  if (value.length < minItems) return problem(path, `must have at least ${minItems} ${itemsOf(minItems)}`)
  return value.length > maxItems ? problem(path, `must have at most ${maxItems} ${itemsOf(maxItems)}`) : []
}

/** The lower bound must not be above the upper one. */
export const checkOrder = <V extends number | string>(
  key: string,
  min: V | undefined,
  max: V | undefined,
): Problem[] =>
  min !== undefined && max !== undefined && max < min ? problem(key, `must not be less than ${min}`) : []

/** Of several items only those that are right are shown, so that none of the values is a misfit. */
export const readsOneByOne = (): boolean => false

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const isId = (value: unknown): value is string => typeof value === 'string' && UUID.test(value)

export const checkId = (value: unknown, path: string, what: string): Problem[] =>
  isId(value) ? [] : problem(path, `must be the ID of ${what}`)

export const cleanId = (value: unknown): unknown =>
  typeof value === 'string' ? trimmedOrNull(value.toLowerCase()) : value

/** Each id once, in the order of the first. */
export const cleanIds = (value: unknown): unknown => (Array.isArray(value) ? [...new Set(value.map(cleanId))] : value)

const charactersOf = (number: number): string => (number === 1 ? 'character' : 'characters')
const itemsOf = (number: number): string => (number === 1 ? 'item' : 'items')
