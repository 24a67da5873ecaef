import { textConfigOf } from '../../content/chunks/chunks.ts'
import type { CmsTx, Ctx } from '../../context.ts'
import { subjectOf } from './asking-words.ts'
import {
  type FoundChunk,
  findChunks,
  findSimilarLexemes,
  findSimilarTitles,
  listConfigs,
  listUnknownWords,
  type Passage,
  type Phrase,
  prepareSearch,
  readPassages,
  type Scope,
} from './queries.ts'
import { correctedStems, correctionsOf, withSynonyms, wordsOf } from './words.ts'

export type { Passage } from './queries.ts'
export { rewrittenSearch } from './rewriting.ts'

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
/**
 * The share of the question that a place must have for the site to say something about it: more than half. Words that are rare
 * on the site are more of it. A place that has several of the words may lack more of the others.
 */
const LEAST_COVERAGE = 0.501
const LEAST_OF_SEVERAL = 0.445
const SEVERAL = 3
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
      const subject = subjectOf(words, [language, ...locales.map(languageOf)])
      const passages = locales.length === 0 ? [] : await searchIn(tx, { ...search, locales }, subject)
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

/** A word that is nowhere on the site may be one of its texts, mistyped, or else of its titles. */
const addCorrections = async (tx: CmsTx, scope: Scope, ways: readonly string[][]): Promise<void> => {
  const isOneWord = (slot: number) => !ways[slot]?.[0]?.includes(' ')
  let unknown = (await listUnknownWords(tx, scope, phrasesOf(ways))).filter(isOneWord).slice(0, MAX_CORRECTED)
  for (const { findSimilar, correct } of CORRECTIONS) {
    if (unknown.length === 0) return
    const words = unknown.map((slot) => ways[slot]?.[0] ?? '')
    const similar = await findSimilar(tx, scope, words)
    unknown = unknown.filter((slot) => {
      const own = similar.filter(({ word }) => word === ways[slot]?.[0])
      const corrections = own.flatMap(({ given, texts }) => correct(given, texts))
      ways[slot]?.push(...corrections)
      return corrections.length === 0
    })
  }
}

const CORRECTIONS = [
  { findSimilar: findSimilarLexemes, correct: correctedStems },
  { findSimilar: findSimilarTitles, correct: correctionsOf },
] as const

/** The first few, not too many of one entry; nothing unless one of them has enough of the question. */
const best = (found: readonly FoundChunk[]): FoundChunk[] => {
  const isAbout = found.some(
    ({ coverage, matched }) => coverage >= (matched >= SEVERAL ? LEAST_OF_SEVERAL : LEAST_COVERAGE),
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
