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
import { correctedStems, correctionsOf, type Ideas, waysOfIdeas, withSynonyms, wordsOf } from './words.ts'

export type { Passage } from './queries.ts'
export { parseIdeas } from './rewriting.ts'
export type { Ideas } from './words.ts'

export type Search = {
  readonly question: string
  /** What a model says that the question is about; then its words are searched instead of the question's. */
  readonly ideas?: Ideas | null
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
/**
 * The same for a model's ideas, which come with more words than the visitor meant: a place must have all of them, or all but one
 * of many. Mentions of the model's other words in a text are not enough, and one idea alone must be in a title or heading.
 */
const LEAST_OF_IDEAS = 0.6
const LEAST_OF_ONE_IDEA = 0.9
const MANY_IDEAS = 4
/** Who mistypes more words than this is not understood. */
const MAX_CORRECTED = 6

/**
 * The passages of published entries that the question is about, best first; none when the site says nothing about it.
 * A model that sees but one idea in a question has not said more than the question does: then both may find it.
 */
export const findPassages = async (ctx: Pick<Ctx, 'tx'>, search: Search): Promise<Passage[]> => {
  const found = await find(ctx, search)
  return found.length > 0 || search.ideas?.length !== 1 ? found : find(ctx, { ...search, ideas: null })
}

/** First in the visitor's language, then in the others. */
const find = async (ctx: Pick<Ctx, 'tx'>, search: Search): Promise<Passage[]> => {
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
  { locales, types, synonyms, ideas }: Search,
  words: readonly string[],
): Promise<Passage[]> => {
  const configs = await listConfigs(tx, [...new Set(locales.map(textConfigOf))])
  const scope: Scope = { locales, types, configs }
  const ways = ideas ? waysOfIdeas(ideas, synonyms) : { own: withSynonyms(words, synonyms), others: [] }
  await addCorrections(tx, scope, ways)
  const found = await findChunks(tx, scope, phrasesOf(ways))
  return found.some(ideas ? hasIdeas : hasEnough) ? readPassages(tx, types, best(found)) : []
}

/** Outer index: the position in the question. */
type Ways = { readonly own: readonly string[][]; readonly others: readonly string[][] }

const phrasesOf = ({ own, others }: Ways): Phrase[] => [...phrasesIn(own, true), ...phrasesIn(others, false)]

const phrasesIn = (ways: readonly (readonly string[])[], isOwn: boolean): Phrase[] =>
  ways.flatMap((phrases, slot) => phrases.map((text) => ({ slot, text, isOwn })))

/** A word that is nowhere on the site may be one of its texts, mistyped, or else of its titles. */
const addCorrections = async (tx: CmsTx, scope: Scope, ways: Ways): Promise<void> => {
  const { own } = ways
  const isOneWord = (slot: number) => !own[slot]?.[0]?.includes(' ')
  let unknown = (await listUnknownWords(tx, scope, phrasesOf(ways))).filter(isOneWord).slice(0, MAX_CORRECTED)
  for (const { findSimilar, correct } of CORRECTIONS) {
    if (unknown.length === 0) return
    const words = unknown.map((slot) => own[slot]?.[0] ?? '')
    const similar = await findSimilar(tx, scope, words)
    unknown = unknown.filter((slot) => {
      const near = similar.filter(({ word }) => word === own[slot]?.[0])
      const corrections = near.flatMap(({ given, texts }) => correct(given, texts))
      own[slot]?.push(...corrections)
      return corrections.length === 0
    })
  }
}

const CORRECTIONS = [
  { findSimilar: findSimilarLexemes, correct: correctedStems },
  { findSimilar: findSimilarTitles, correct: correctionsOf },
] as const

const hasEnough = ({ coverage, matched }: FoundChunk): boolean =>
  coverage >= (matched >= SEVERAL ? LEAST_OF_SEVERAL : LEAST_COVERAGE)

const hasIdeas = ({ coverage, matched, asked }: FoundChunk): boolean =>
  matched >= (asked >= MANY_IDEAS ? asked - 1 : asked) && coverage >= (asked === 1 ? LEAST_OF_ONE_IDEA : LEAST_OF_IDEAS)

/** The first few, not too many of one entry. */
const best = (found: readonly FoundChunk[]): FoundChunk[] => {
  const taken = new Map<string, number>()
  return found
    .filter(({ entryId }) => {
      const count = (taken.get(entryId) ?? 0) + 1
      taken.set(entryId, count)
      return count <= MAX_PER_ENTRY
    })
    .slice(0, MAX_PASSAGES)
}
