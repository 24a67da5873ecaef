import { searchWords } from './operators.ts'

/** Operators whose values stand in what a list shows. */
const SHOWN = new Set(['', 'from', 'to', 'cc', 'subject', 'body'])
const JOINING = new Set(['OR', 'AND', 'NOT'])

/** The words of a search that rows can show: not those that must be missing. */
export const markedWords = (q: string): readonly string[] => {
  const words = searchWords(q).flatMap(({ operator, value, start }) => {
    if (!SHOWN.has(operator) || q[start] === '-' || (operator === '' && JOINING.has(value))) return []
    return value.split(/[\s*]+/).flatMap((word) => foldLetters(word).text || [])
  })
  // Longer ones first: a word may be the beginning of another
  return [...new Set(words)].toSorted((a, b) => b.length - a.length)
}

export type Piece = { readonly text: string; readonly isMarked: boolean }

/** A text in pieces, those that begin like a word of the search marked. Case and accents make no difference. */
export const splitMarked = (text: string, words: readonly string[]): readonly Piece[] => {
  if (words.length === 0 || text === '') return [{ text, isMarked: false }]
  const { text: folded, places } = foldLetters(text)
  const pieces: Piece[] = []
  let from = 0
  for (let at = 0; at < folded.length; ) {
    const word = isInsideWord(folded, at) ? undefined : words.find((each) => folded.startsWith(each, at))
    if (word === undefined) {
      at += 1
      continue
    }
    const [start, end] = [places[at] ?? text.length, places[at + word.length] ?? text.length]
    if (start > from) pieces.push({ text: text.slice(from, start), isMarked: false })
    pieces.push({ text: text.slice(start, end), isMarked: true })
    from = end
    at += word.length
  }
  if (from < text.length) pieces.push({ text: text.slice(from), isMarked: false })
  return pieces
}

/** Scripts without spaces have words everywhere. */
const isInsideWord = (text: string, at: number): boolean =>
  at > 0 &&
  /[\p{L}\p{N}]/u.test(text[at - 1] ?? '') &&
  !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(text[at] ?? '')

/** Letters as they are compared, and where each of them stands in the text. */
const foldLetters = (text: string): { text: string; places: readonly number[] } => {
  let folded = ''
  const places: number[] = []
  let at = 0
  for (const letter of text) {
    for (const plain of letter.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()) {
      folded += plain
      for (let unit = 0; unit < plain.length; unit += 1) places.push(at)
    }
    at += letter.length
  }
  return { text: folded, places }
}
