/** Characters that nobody sees and a model reads: zero-width, direction and tag characters. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\u{e0000}-\u{e007f}]/gu

export const withoutInvisible = (text: string): string => text.replace(INVISIBLE, '').toWellFormed()

/** Several times what a model is allowed: the rest of a flood is not even looked at. */
const MAX_TEXT = 6_000

/** Cleaning may uncover what was hidden in what it removed, a few layers deep. */
const MAX_ROUNDS = 8

/**
 * What a model wrote as plain text: no HTML, no pictures, no links, and no address that is not on the website itself.
 * Numbers of passages stay.
 */
export const plainAnswer = (text: string, known: string): string => {
  let cleaned = withoutInvisible(text.slice(0, MAX_TEXT))
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const next = withoutMarkup(cleaned)
    if (next === cleaned) break
    cleaned = next
  }
  return cleaned
    .replace(/<(?=[a-z/!?])/gi, '')
    .replace(ADDRESS, (address) => (known.includes(address.replace(/[.,;:!?)]+$/, '')) ? address : ''))
    .replace(/[ \t]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/ +([.,;:!?])/g, '$1')
    .trim()
}

const ADDRESS = /\b(?:[a-z][a-z0-9+.-]*:\/\/|www\.|javascript:|data:|mailto:)[^\s<>"']+/gi

const withoutMarkup = (text: string): string =>
  text
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
    .replace(/<(script|style|iframe|object|svg)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replace(/<\/?[a-z!?][^<>]*>/gi, '')
    .replace(/!\[([^[\]]*)\](?:\((?:[^()]|\([^()]*\))*\)|\[[^[\]]*\])/g, '$1')
    // The number of a passage stays one when it is made a link.
    .replace(/\[(\d{1,2})\]\((?:[^()]|\([^()]*\))*\)/g, '[$1]')
    .replace(/\[([^[\]]+)\]\((?:[^()]|\([^()]*\))*\)/g, '$1')
    .replace(/^ {0,3}\[[^[\]]+\]:\s*\S+.*$/gm, '')
    .replace(/\*\*([^*]+)\*\*/g, '$1')
    .replace(/^#{1,6}\s+/gm, '')

/** How models name several passages at once: `[1, 2]`. */
const SEVERAL = /\[(\d{1,2}(?:\s*[,;]\s*\d{1,2})+)\]/g
const CITATION = /\s*\[(\d{1,2})\]/g

/**
 * Puts numbers of sources in place of those of passages. `sourceOf` says which source a passage is of, from 1; null where
 * there is none such, and then the number is left out.
 */
export const mapCitations = (text: string, sourceOf: (passage: number) => number | null): string => {
  let last = ''
  const apart = text.replace(SEVERAL, (_, numbers: string) =>
    numbers
      .split(/[,;]/)
      .map((n) => `[${n.trim()}]`)
      .join(''),
  )
  return apart.replace(CITATION, (written, n: string, at: number) => {
    const source = sourceOf(Number(n))
    if (source === null) return ''
    const shown = `[${source}]`
    // Two passages of one entry beside each other are one source.
    const isRepeated = last === `${at}${shown}`
    last = `${at + written.length}${shown}`
    return isRepeated ? '' : /^\s/.test(written) ? ` ${shown}` : shown
  })
}

/** The passages that the text names, in the order of their first mention. */
export const citationsIn = (text: string): number[] => [
  ...new Set(
    [...text.replace(SEVERAL, '[$1]').matchAll(/\[(\d{1,2}(?:\s*[,;]\s*\d{1,2})*)\]/g)].flatMap(([, numbers = '']) =>
      numbers.split(/[,;]/).map(Number),
    ),
  ),
]

/** A line this long is not said by chance. */
const LEAK_LENGTH = 40

/** Whether the model repeated its prompt instead of an answer. */
export const repeatsRules = (text: string, rules: string): boolean => {
  const plain = (given: string) => given.replace(/\s+/g, ' ').toLowerCase()
  const said = plain(text)
  return rules
    .split(/\n|(?<=[.:]) /)
    .map(plain)
    .some((sentence) => sentence.length >= LEAK_LENGTH && said.includes(sentence.trim()))
}

const EXCERPT = 200

/** The beginning of a passage, cut between words. */
export const excerptOf = (body: string): string => {
  const line = withoutInvisible(body).replace(/\s+/g, ' ').trim()
  if (line.length <= EXCERPT) return line
  const cut = line.slice(0, EXCERPT)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), EXCERPT / 2)).toWellFormed()}…`
}
