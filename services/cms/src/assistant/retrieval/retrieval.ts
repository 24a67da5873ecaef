import { textConfigOf } from '../../content/chunks/chunks.ts'
import type { CmsTx, Ctx } from '../../context.ts'
import {
  type FoundChunk,
  findChunks,
  findSimilarTitles,
  listConfigs,
  listUnknownWords,
  type Passage,
  type Phrase,
  prepareSearch,
  readPassages,
  type Scope,
} from './queries.ts'
import { correctionsOf, withSynonyms, wordsOf } from './words.ts'

export type { Passage } from './queries.ts'

export type Search = {
  readonly question: string
  /** The visitor's language. */
  readonly locale: string
  /** The languages of the site. */
  readonly locales: readonly string[]
  readonly types: readonly string[]
  readonly synonyms: readonly (readonly string[])[]
}

/** What an answer can be made of without becoming an essay. */
const MAX_PASSAGES = 6
const MAX_PER_ENTRY = 2
/** The share of the question that a place must have for the site to say something about it, or all of an entry's together. */
const LEAST_COVERAGE = 0.34
const LEAST_OF_ENTRY = 0.5
/** Who mistypes more words than this is not understood. */
const MAX_CORRECTED = 6

/**
 * The passages of published entries that the question is about, best first; none when the site says nothing about it.
 * First in the visitor's language, then in the others.
 */
export const findPassages = async (ctx: Pick<Ctx, 'tx'>, search: Search): Promise<Passage[]> => {
  const words = wordsOf(search.question)
  if (words.length === 0 || search.types.length === 0) return []
  const language = languageOf(search.locale)
  const own = search.locales.filter((locale) => languageOf(locale) === language)
  const others = search.locales.filter((locale) => languageOf(locale) !== language)
  return ctx.tx(async (tx) => {
    await prepareSearch(tx)
    for (const locales of [own, others]) {
      const passages = locales.length === 0 ? [] : await searchIn(tx, { ...search, locales }, words)
      if (passages.length > 0) return passages
    }
    return []
  })
}

/** Whether the public can still read what was found a moment ago, word for word. */
export const areCurrent = async (
  { db }: Pick<Ctx, 'db'>,
  types: readonly string[],
  passages: readonly Passage[],
): Promise<boolean> => {
  const now = await readPassages(db, types, passages)
  const textsOf = (given: readonly Passage[]) =>
    JSON.stringify(given.map(({ title, heading, body }) => [title, heading, body]))
  return textsOf(now) === textsOf(passages)
}

const languageOf = (locale: string): string => locale.split('-')[0] ?? locale

const searchIn = async (
  tx: CmsTx,
  { locales, types, synonyms }: Search,
  words: readonly string[],
): Promise<Passage[]> => {
  const configs = await listConfigs(tx, [...new Set(locales.map(textConfigOf))])
  const scope: Scope = { locales, types, configs }
  const ways = withSynonyms(words, synonyms)
  await addCorrections(tx, scope, ways)
  const found = await findChunks(tx, scope, phrasesOf(ways))
  return readPassages(tx, types, best(found))
}

const phrasesOf = (ways: readonly (readonly string[])[]): Phrase[] =>
  ways.flatMap((phrases, slot) => phrases.map((text) => ({ slot, text })))

/** A word that is nowhere on the site may be one of its titles, mistyped. */
const addCorrections = async (tx: CmsTx, scope: Scope, ways: string[][]): Promise<void> => {
  const unknown = (await listUnknownWords(tx, scope, phrasesOf(ways))).slice(0, MAX_CORRECTED)
  const words = unknown.flatMap((slot) => ways[slot]?.slice(0, 1) ?? [])
  if (words.length === 0) return
  const similar = await findSimilarTitles(tx, scope, words)
  for (const slot of unknown) {
    const [word = ''] = ways[slot] ?? []
    const titles = similar.filter((each) => each.word === word).map(({ title }) => title)
    ways[slot]?.push(...correctionsOf(word, titles))
  }
}

/** The first few, not too many of one entry; nothing unless one of them has enough of the question. */
const best = (found: readonly FoundChunk[]): FoundChunk[] => {
  const isAbout = found.some(
    (chunk) => chunk.coverage >= LEAST_COVERAGE || coverageOfEntry(found, chunk) >= LEAST_OF_ENTRY,
  )
  if (!isAbout) return []
  const taken = new Map<string, number>()
  return found
    .filter(({ entryId }) => {
      const count = (taken.get(entryId) ?? 0) + 1
      taken.set(entryId, count)
      return count <= MAX_PER_ENTRY
    })
    .slice(0, MAX_PASSAGES)
}

/** What the places of one entry have of the question between them. */
const coverageOfEntry = (found: readonly FoundChunk[], { entryId, whole }: FoundChunk): number => {
  const weights = new Map<number, number>()
  for (const chunk of found)
    if (chunk.entryId === entryId)
      for (const [index, slot] of chunk.slots.entries()) weights.set(slot, chunk.weights[index] ?? 0)
  return [...weights.values()].reduce((sum, weight) => sum + weight, 0) / whole
}
