/** Below this share of a piece, cutting at the end of a sentence would leave scraps. */
const LEAST = 0.5

/**
 * The text in pieces of at most `length` characters: cut at the end of a paragraph, else of a sentence, else between words,
 * and through a word only where there is no other way. Nothing but white space is lost.
 */
export const splitText = (text: string, length: number): string[] => {
  const pieces: string[] = []
  let rest = text.trim()
  while (rest.length > length) {
    const at = cutOf(rest.slice(0, length + 1), length)
    pieces.push(rest.slice(0, at).trimEnd())
    rest = rest.slice(at).trimStart()
  }
  return rest === '' ? pieces : [...pieces, rest]
}

const cutOf = (window: string, length: number): number => {
  const least = length * LEAST
  for (const pattern of [/\n/g, /[.!?。！？]["'”’)\]]*\s/g, /\s/g]) {
    const last = [...window.matchAll(pattern)].findLast(({ index }) => index >= least)
    if (last) return Math.min(last.index + last[0].length, length)
  }
  // Not between the two halves of one character.
  return /[\ud800-\udbff]/.test(window.charAt(length - 1)) ? length - 1 : length
}
