import { type Ideas, wordsOf } from './words.ts'

const MAX_REPLY = 2_000
/** A model that returns more ideas or more words than this did not follow its instructions. */
const MAX_IDEAS = 6
const MAX_WAYS = 8
const MAX_WAY_WORDS = 5

/**
 * The ideas that a model found in a question. Null for whatever is not the JSON that it was asked for: then the question is
 * searched as it is.
 */
export const parseIdeas = (reply: string): Ideas | null => {
  const given = reply.length > MAX_REPLY ? null : parseJson(jsonIn(reply))
  if (!Array.isArray(given) || given.length === 0 || given.length > MAX_IDEAS) return null
  return given.every(isIdea) ? given.map((ways) => [...new Set(ways)]) : null
}

/** Models like to say something before it, or to put it into a block of code. */
const jsonIn = (reply: string): string => reply.slice(reply.indexOf('['), reply.lastIndexOf(']') + 1)

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const isIdea = (given: unknown): given is string[] =>
  Array.isArray(given) && given.length > 0 && given.length <= MAX_WAYS && given.every(isWay)

const isWay = (given: unknown): given is string => {
  const count = typeof given === 'string' ? wordsOf(given).length : 0
  return count > 0 && count <= MAX_WAY_WORDS
}
