/** Wider lines are no list of addresses. */
const MAX_COLUMNS = 200
/** Of the first line, where the separator is looked for. */
const MAX_HEAD = 65_536
/** A file with more is no list of addresses, however short they are. */
const MAX_FIELDS = 1_000_000
/** Nothing that is longer is kept. */
const MAX_FIELD_LENGTH = 4_096

const QUOTE = '"'
const QUOTE_CODE = 0x22

/**
 * The lines of a comma-separated file (RFC 4180), each as its fields. Semicolons and tabs are taken where the first line
 * has no comma, as spreadsheets of some countries write them. Lines without anything in them are left out. What
 * follows `maxLines` of them is not read, and nothing of a file with too many fields.
 */
export const parseCsv = (given: string, maxLines = Number.POSITIVE_INFINITY): string[][] => {
  const text = given.startsWith('\uFEFF') ? given.slice(1) : given
  const separator = separatorOf(text)
  const lines: string[][] = []
  let fields: string[] = []
  let at = 0
  let left = MAX_FIELDS
  const endLine = () => {
    if (fields.some((field) => field !== '')) lines.push(fields)
    fields = []
  }
  for (; at < text.length && lines.length < maxLines && left > 0; left -= 1) {
    const field = readField(text, at, separator)
    if (fields.length < MAX_COLUMNS) fields.push(field.value.trim())
    at = field.end
    if (text[at] === separator) {
      at += 1
      continue
    }
    at += text.startsWith('\r\n', at) ? 2 : 1
    endLine()
  }
  if (left === 0) return []
  endLine()
  return lines
}

/** As the first line has it outside of quotes. */
const separatorOf = (text: string): string => {
  const seen = new Set<string>()
  let isQuoted = false
  for (const sign of text.slice(0, MAX_HEAD)) {
    if (sign === QUOTE) isQuoted = !isQuoted
    if (isQuoted) continue
    if (sign === '\n' || sign === '\r') break
    seen.add(sign)
  }
  return [',', ';', '\t'].find((sign) => seen.has(sign)) ?? ','
}

/** One field, and where the separator or the end of its line stands. */
const readField = (text: string, start: number, separator: string): { value: string; end: number } => {
  if (text[start] !== QUOTE) {
    const end = endOfBare(text, start, separator)
    return { value: text.slice(start, end), end }
  }
  const close = closingQuote(text, start + 1)
  const value = text.slice(start + 1, Math.min(close, start + 1 + MAX_FIELD_LENGTH)).replaceAll('""', QUOTE)
  const end = endOfBare(text, Math.min(close + 1, text.length), separator)
  return { value: value + text.slice(close + 1, end), end }
}

/** Where the quotes end, or the text: one that is never closed takes in the rest of the file. */
const closingQuote = (text: string, start: number): number => {
  let at = start
  while (at < text.length) {
    if (text.charCodeAt(at) !== QUOTE_CODE) at += 1
    else if (text.charCodeAt(at + 1) === QUOTE_CODE) at += 2
    else return at
  }
  return text.length
}

const endOfBare = (text: string, start: number, separator: string): number => {
  let at = start
  while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') at += 1
  return at
}
