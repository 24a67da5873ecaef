/** Wider lines are no list of addresses. */
const MAX_COLUMNS = 200

const QUOTE = '"'

/**
 * The lines of a comma-separated file (RFC 4180), each as its fields. Semicolons and tabs are taken where the first line
 * has no comma, as spreadsheets of some countries write them. Lines without anything in them are left out.
 */
export const parseCsv = (given: string): string[][] => {
  const text = given.startsWith('\uFEFF') ? given.slice(1) : given
  const separator = separatorOf(text)
  const lines: string[][] = []
  let fields: string[] = []
  let at = 0
  const endLine = () => {
    if (fields.some((field) => field !== '')) lines.push(fields)
    fields = []
  }
  while (at < text.length) {
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
  endLine()
  return lines
}

/** As the first line has it outside of quotes. */
const separatorOf = (text: string): string => {
  const seen = new Set<string>()
  let isQuoted = false
  for (const sign of text) {
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
  let value = ''
  let from = start + 1
  for (;;) {
    const quote = text.indexOf(QUOTE, from)
    // A quote that is never closed would take in the rest of the file.
    if (quote === -1) return { value: value + text.slice(from), end: text.length }
    value += text.slice(from, quote)
    if (text[quote + 1] !== QUOTE) {
      const end = endOfBare(text, quote + 1, separator)
      return { value: value + text.slice(quote + 1, end), end }
    }
    value += QUOTE
    from = quote + 2
  }
}

const endOfBare = (text: string, start: number, separator: string): number => {
  let at = start
  while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') at += 1
  return at
}
