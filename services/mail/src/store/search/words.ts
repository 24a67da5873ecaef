import type { Mailbox } from '../../formats/mime/mime.ts'
import type { MessageEnvelope } from '../../tables/store.ts'
import { foldText } from './text-forms.ts'

/** What can be searched for, each behind its letter. */
export const FIELD_LETTERS = {
  subject: 's',
  from: 'f',
  to: 't',
  cc: 'c',
  bcc: 'd',
  body: 'b',
  attachments: 'a',
} as const

export type SearchField = keyof typeof FIELD_LETTERS
export const SEARCH_FIELDS: readonly SearchField[] = ['subject', 'from', 'to', 'cc', 'bcc', 'body', 'attachments']

export type SearchTexts = Record<SearchField, string>

/** Longer words are found by how they begin; nobody types them. */
const MAX_WORD = 48
/** Different words of one message, and their bytes: PostgreSQL takes a megabyte, with what it puts between them. */
const MAX_WORDS = 12_000
const MAX_WORD_BYTES = 600_000
/** Text that is searched for parts of words. */
const MAX_TEXT = 200_000

/** Letters, digits and marks; in scripts without spaces a run of characters is many words. */
export const RUN = /[\p{L}\p{N}\p{M}]+/gu
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu

/** The texts of a message by field, in the form in which they are compared. */
export const searchTexts = (
  envelope: MessageEnvelope,
  rest: {
    subject: string | null
    body: string
    attachments: readonly string[]
    headers: readonly { name: string; value: string }[]
  },
): SearchTexts => ({
  subject: foldText(rest.subject ?? ''),
  from: addressText('from', envelope, rest.headers),
  to: addressText('to', envelope, rest.headers),
  cc: addressText('cc', envelope, rest.headers),
  bcc: addressText('bcc', envelope, rest.headers),
  body: foldText(rest.body),
  attachments: foldText(rest.attachments.join('\n')),
})

/** The words of a message as they are indexed: each with the letter of its field. */
export const indexWords = (texts: SearchTexts): string[] => {
  const words: string[] = []
  let bytes = 0
  // Each once: mail with a plain and an HTML form says all of them twice.
  for (const field of SEARCH_FIELDS)
    for (const word of new Set(wordsOf(texts[field]))) {
      const lettered = FIELD_LETTERS[field] + word
      bytes += Buffer.byteLength(lettered)
      if (words.length >= MAX_WORDS || bytes > MAX_WORD_BYTES) return words
      words.push(lettered)
    }
  return words
}

/** Between the fields of the text that is searched for parts of words. No text has it: control characters are spaces. */
export const FIELD_SEPARATOR = '\x01'

export const indexText = (texts: SearchTexts): string => {
  const parts = SEARCH_FIELDS.map((field) => texts[field].slice(0, MAX_TEXT).toWellFormed())
  return parts.join(FIELD_SEPARATOR)
}

/** The searchable header fields of a message, in total. */
const MAX_HEADERS = 65_536

/** Header fields as they are searched: `name:value`, each between two separators. */
export const indexHeaders = (fields: readonly { name: string; value: string }[]): string => {
  let text = FIELD_SEPARATOR
  for (const { name, value } of fields) {
    if (text.length > MAX_HEADERS) break
    text += `${foldText(name)}:${foldText(value.slice(0, MAX_HEADERS))}${FIELD_SEPARATOR}`
  }
  return text
}

/** A word to look for, or the beginning of one. */
export type QueryWord = { word: string; isPrefix: boolean }

/** What somebody typed as words; `inv*` is the beginning of one. Null when there is nothing to look for. */
export const queryWords = (text: string): QueryWord[] | null => {
  const found = new Map<string, QueryWord>()
  for (const term of foldText(text).split(' ').slice(0, MAX_TERMS)) {
    const isPrefix = term.endsWith('*')
    const words = [...termWords(term)]
    for (const [index, query] of words.entries()) {
      const isLast = index === words.length - 1
      const made = { word: query.word, isPrefix: query.isPrefix || (isPrefix && isLast) }
      found.set(`${made.word} ${made.isPrefix}`, made)
    }
  }
  return found.size === 0 ? null : [...found.values()]
}

const MAX_TERMS = 50

/** A PostgreSQL tsquery: all words, each in any of the fields. */
export const tsquery = (words: readonly QueryWord[], fields: readonly SearchField[]): string =>
  words
    .map(({ word, isPrefix }) => {
      const any = fields.map((field) => `'${FIELD_LETTERS[field]}${word}'${isPrefix ? ':*' : ''}`)
      return `(${any.join(' | ')})`
    })
    .join(' & ')

/** For addresses in groups, the raw header is added: names of groups are found too. */
const addressText = (
  field: 'from' | 'to' | 'cc' | 'bcc',
  envelope: MessageEnvelope,
  headers: readonly { name: string; value: string }[],
): string => {
  const addresses: readonly Mailbox[] = envelope[field]
  const groups = headers.filter(({ name, value }) => name.toLowerCase() === field && /:[^;]*;/.test(value))
  const texts = [...addresses.map(({ name, email }) => `${name ?? ''} ${email}`), ...groups.map(({ value }) => value)]
  return foldText(texts.join('\n'))
}

const NOT_ASCII = /[\u0080-\uffff]/

const wordsOf = (folded: string): Iterable<string> =>
  NOT_ASCII.test(folded) ? unicodeWords(folded) : (folded.match(/[a-z0-9]+/g) ?? []).map(shorten)

function* unicodeWords(folded: string): Generator<string> {
  for (const [run] of folded.matchAll(RUN)) {
    for (const piece of splitRun(run)) {
      if (!piece.isUnspaced) {
        yield shorten(piece.text)
        continue
      }
      const characters = [...piece.text]
      for (const [index, character] of characters.entries()) {
        // The last one alone too, so that a search for one character finds it by its beginning.
        yield character + (characters[index + 1] ?? '')
      }
    }
  }
}

function* termWords(term: string): Generator<QueryWord> {
  for (const [run] of term.matchAll(RUN))
    for (const { text, isUnspaced } of splitRun(run)) {
      const characters = isUnspaced ? [...text] : []
      if (!isUnspaced) yield { word: shorten(text), isPrefix: false }
      else if (characters.length === 1) yield { word: text, isPrefix: true }
      else for (const index of characters.slice(1).keys()) yield pairAt(characters, index)
    }
}

const pairAt = (characters: readonly string[], index: number): QueryWord => ({
  word: `${characters[index] ?? ''}${characters[index + 1] ?? ''}`,
  isPrefix: false,
})

/** Parts of a run in scripts with spaces and without. */
export function* splitRun(run: string): Generator<{ text: string; isUnspaced: boolean }> {
  let at = 0
  for (const match of run.matchAll(UNSPACED)) {
    if (match.index > at) yield { text: run.slice(at, match.index), isUnspaced: false }
    yield { text: match[0], isUnspaced: true }
    at = match.index + match[0].length
  }
  if (at < run.length) yield { text: run.slice(at), isUnspaced: false }
}

/** A word as it is indexed. */
export const shorten = (word: string): string =>
  word.length <= MAX_WORD ? word : word.slice(0, MAX_WORD).toWellFormed().replaceAll('\ufffd', '')
