/** Words that say where they stand; the same word in a subject and in a body are two. */
export type WordField = 'subject' | 'from' | 'name' | 'link' | 'file' | 'trait' | 'body'

/** Words per message: enough to know it, few enough to look them all up for each recipient. */
const MAX_WORDS = 400
const MAX_BODY_WORDS = 220
const MAX_PAIRS = 120
/** Words of the body that are read at most: in repetitive texts they are the same again and again. */
const MAX_LOOKED_AT = 600
const MAX_LENGTH = 24
const MIN_LENGTH = 3
/** Text that words are taken from; most messages are shorter, and the rest says the same. */
const MAX_TEXT = 8_192

export type WordSet = {
  add(field: WordField, word: string): void
  /** The words of a text, and those of a body also in pairs. */
  addText(field: WordField, text: string): void
  /** In ascending order, so that two transactions that learn take their rows in the same order. */
  hashes(): number[]
}

export const newWords = (): WordSet => {
  const hashes = new Set<number>()
  const add = (field: WordField, word: string): void => {
    if (hashes.size < MAX_WORDS && word !== '') hashes.add(hashWord(`${field}:${word}`))
  }
  const addBody = (text: string): void => {
    const before = hashes.size
    let pairs = 0
    let seen = 0
    let last = ''
    for (const word of splitWords(text)) {
      if (hashes.size - before - pairs < MAX_BODY_WORDS) add('body', word)
      if (pairs < MAX_PAIRS && last !== '') {
        const size = hashes.size
        add('body', `${last} ${word}`)
        pairs += hashes.size - size
      }
      seen += 1
      if (seen >= MAX_LOOKED_AT || hashes.size - before >= MAX_BODY_WORDS + MAX_PAIRS) return
      last = word
    }
  }
  return {
    add,
    addText(field, text) {
      if (field === 'body') addBody(text)
      else for (const word of splitWords(text)) add(field, word)
    },
    hashes: () => [...hashes].sort((one, other) => one - other),
  }
}

/** Words in one form: case folded, marks of width and compatibility gone, numbers all alike, CJK text by twos. */
export function* splitWords(text: string): Generator<string> {
  const start = text.slice(0, MAX_TEXT)
  const isPlain = !NOT_ASCII.test(start)
  const plain = (isPlain ? start : start.normalize('NFKC').replace(INVISIBLE, '')).toLowerCase()
  for (const [word] of plain.matchAll(isPlain ? ASCII_WORD : WORD)) {
    if (!isPlain && CJK.test(word)) for (let at = 0; at + 1 < word.length; at += 1) yield word.slice(at, at + 2)
    else if (word.length >= MIN_LENGTH) yield withoutNumbers(word.slice(0, MAX_LENGTH))
  }
}

const withoutNumbers = (word: string): string => (DIGITS.test(word) ? word.replace(/\d+/g, '0') : word)

const DIGITS = /\d/
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are ASCII too
const NOT_ASCII = /[^\x00-\x7f]/
const INVISIBLE = /[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g
const ASCII_WORD = /[a-z0-9$%!][a-z0-9'_-]*/g
const WORD = /[\p{L}\p{M}\p{N}$€£%!][\p{L}\p{M}\p{N}'’_-]*/gu
const CJK = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/

/** 53 bits: what a number holds exactly (cyrb53). Two words that meet by chance do no harm. */
export const hashWord = (word: string): number => {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let at = 0; at < word.length; at += 1) {
    const code = word.charCodeAt(at)
    high = Math.imul(high ^ code, 2_654_435_761)
    low = Math.imul(low ^ code, 1_597_334_677)
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
  return 4_294_967_296 * (2_097_151 & low) + (high >>> 0)
}
