import { type Delimiters, delimiterAt } from './delimiters.ts'
import { LIMITS } from './limits.ts'

/** How far a delimiter is looked for that says what the boundary is. */
const GUESS_BYTES = 2048
/** How far one with the given boundary is looked for before another one counts: no preamble is longer. */
const PREAMBLE_BYTES = 16_384
/** How many lines with dashes are looked at. */
const GUESS_LINES = 20

/** Any line that looks like a delimiter. */
const DELIMITER = /^--([^\s-][^\r\n]{0,69}?)[ \t]*[\r\n]/
/** One with the header of a part below it. A closing one, or a line like `-----Original Message-----`, opens nothing. */
const OPENING = /^--(?=[^\r\n]*[^\s-])([^\r\n]{1,256}?)(?<!--)[ \t]*(?:\r?\n|\r)content-[a-z-]{1,40}:/i

/** Looks for the boundaries of multiparts; each message has one, because what it looks at is bounded. */
export type Boundaries = { of(bodyStart: number, given: string): string }

export const newBoundaries = (delimiters: Delimiters): Boundaries => {
  let guesses = 0
  return {
    /**
     * The boundary by which a multipart is read. Where it is not given, or no delimiter has it, it is that of the first
     * line that looks like one. Empty when there is none.
     */
    of: (bodyStart, given) => {
      if (given.length > LIMITS.boundaryBytes || beginsWithDelimiter(delimiters, bodyStart, given)) return given
      if (guesses >= LIMITS.boundaryGuesses) return given
      guesses += 1
      return guess(delimiters, bodyStart, given)
    },
  }
}

const guess = (delimiters: Delimiters, bodyStart: number, given: string): string => {
  const text = textFrom(delimiters, bodyStart, GUESS_BYTES)
  if (given === '') return firstBoundary(delimiters, bodyStart, text, [OPENING, DELIMITER])
  const found = firstBoundary(delimiters, bodyStart, text, [OPENING])
  return found === '' || hasDelimiter(textFrom(delimiters, bodyStart, PREAMBLE_BYTES), given) ? given : found
}

/** Whether the body starts with the declared delimiter, as in nearly all mail. */
const beginsWithDelimiter = (delimiters: Delimiters, bodyStart: number, given: string): boolean =>
  given !== '' && hasDelimiter(textFrom(delimiters, bodyStart, given.length + 6), given)

const textFrom = ({ bytes }: Delimiters, start: number, length: number): string =>
  bytes.toString('latin1', start, Math.min(bytes.length, start + length))

/** The first boundary in the text. The search ends at a delimiter of an outer multipart. */
const firstBoundary = (delimiters: Delimiters, bodyStart: number, text: string, forms: readonly RegExp[]): string => {
  for (const { index } of text.matchAll(/(?<=^|[\r\n])--/g).take(GUESS_LINES)) {
    if (delimiterAt(delimiters, bodyStart + index)) return ''
    const rest = text.slice(index)
    for (const form of forms) {
      const boundary = form.exec(rest)?.[1]
      if (boundary !== undefined) return boundary
    }
  }
  return ''
}

const hasDelimiter = (text: string, boundary: string): boolean => {
  const line = `\n--${boundary}`
  const lines = `\n${text.replaceAll('\r', '\n')}`
  for (let at = lines.indexOf(line); at !== -1; at = lines.indexOf(line, at + line.length)) {
    const end = at + line.length
    if (/^(?:--)?(?:\s|$)/.test(lines.slice(end, end + 3))) return true
  }
  return false
}
