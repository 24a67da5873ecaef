/** What somebody looks for: words in any order, and phrases in theirs. */
export type SearchText = { readonly words: string; readonly phrases: readonly string[] }

/** Nobody types more of them. */
const MAX_PHRASES = 20

/**
 * RFC 8621 §4.4.1: text in matched quotes is a phrase, a backslash stands before a quote that is meant. Quotes inside of
 * words (`don't`) and those that are never closed are text.
 */
const PHRASE = /(?<=^|\s)(["'])((?:\\.|(?!\1)[^\\]){1,1000})\1(?=\s|$)/gs

export const splitPhrases = (text: string): SearchText => {
  const phrases: string[] = []
  const words = text.replace(PHRASE, (whole, _quote: string, inner: string) => {
    const phrase = inner.replace(/\\(["'\\])/g, '$1').trim()
    if (phrase === '' || phrases.length >= MAX_PHRASES) return whole
    phrases.push(phrase)
    return ' '
  })
  return { words: words.replace(/\s+/g, ' ').trim(), phrases }
}
