import type { Search } from './retrieval.ts'
import { wordsOf } from './words.ts'

const MAX_REPLY = 600
const MAX_SUBJECTS = 8
const MAX_WAYS = 6

/** What a model made of a question: its subjects one after another, and with each of them what else pages may call it. */
export const rewrittenSearch = (reply: string): Pick<Search, 'question' | 'synonyms'> => {
  const groups = reply
    .slice(0, MAX_REPLY)
    .split(/[\s,;]+/)
    .map((group) => group.split('/').filter((way) => wordsOf(way).length > 0))
    .filter((ways) => ways.length > 0)
    .slice(0, MAX_SUBJECTS)
    .map((ways) => ways.slice(0, MAX_WAYS))
  return { question: groups.map(([subject]) => subject).join(' '), synonyms: groups.filter(({ length }) => length > 1) }
}
