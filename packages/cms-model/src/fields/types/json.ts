import { z } from 'zod'
import { isNothing, isStorable, MAX_SEARCH_TEXT, problem } from '../checks.ts'
import { addressedIn, defineField, type Problem } from '../define.ts'

/** Deeper documents stop readers that go down by recursion. */
const MAX_DEPTH = 32

/** An arbitrary document. */
export const json = defineField({
  type: 'json',
  options: z.strictObject({}),
  narrows: {},
  empty: () => null,
  isEmpty: isNothing,
  check: (value, _options, path) => checkDocument(value, path, 0),
  links: (value) => addressedIn(textsIn(value).join('\n')),
  text: (value) => textsIn(value).join(' ').slice(0, MAX_SEARCH_TEXT),
  comparesAs: 'presence',
  typescript: () => 'unknown',
  changeView: 'json',
})

/** Stops at the first thing that is wrong: a document may hold very many. */
const checkDocument = (value: unknown, path: string, depth: number): Problem[] => {
  if (value === null || typeof value === 'boolean') return []
  if (typeof value === 'number')
    return Number.isFinite(value) ? [] : problem(path, "contains a number that JSON doesn't support")
  if (typeof value === 'string')
    return isStorable(value) ? [] : problem(path, "contains a character that can't be stored")
  if (typeof value !== 'object') return problem(path, 'must be JSON')
  if (depth >= MAX_DEPTH) return problem(path, `must not be nested deeper than ${MAX_DEPTH} levels`)
  for (const [key, member] of Object.entries(value)) {
    if (key === '__proto__') return problem(path, 'must not have a property named "__proto__"')
    if (!isStorable(key)) return problem(path, "contains a character that can't be stored")
    const problems = checkDocument(member, path, depth + 1)
    if (problems.length > 0) return problems
  }
  return isPlain(value) ? [] : problem(path, 'must be JSON')
}

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === Object.prototype || prototype === null
}

const textsIn = (value: unknown): string[] => {
  const texts: string[] = []
  collectText(value, texts, 0)
  return texts
}

const collectText = (value: unknown, words: string[], depth: number): void => {
  if (typeof value === 'string') words.push(value)
  else if (typeof value === 'object' && value !== null && depth < MAX_DEPTH)
    for (const member of Object.values(value)) collectText(member, words, depth + 1)
}
