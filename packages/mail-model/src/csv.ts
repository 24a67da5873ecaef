/** Wider lines are no list of addresses. */
const MAX_COLUMNS = 200
/** How far the first line is searched for the separator. */
const MAX_HEAD = 65_536
/** A quoted field that goes on longer began with a stray quote. */
const MAX_QUOTED = 10_000

const QUOTE = '"'
const QUOTE_CODE = 0x22

/** `line` is the number of the one that it began on. */
export type CsvRow = { line: number; fields: string[] }

/**
 * The lines of a comma-separated text (RFC 4180), each as its fields. Semicolons and tabs are taken where the first line
 * has no comma, as spreadsheets of some countries write them. Lines without anything in them are left out, and a quote
 * that nothing closes is a letter. `isCut`: there are more than so many rows; of a text with too many fields nothing is given.
 */
export const parseCsv = (
  given: string,
  { maxRows, maxFields = Number.POSITIVE_INFINITY }: { maxRows: number; maxFields?: number },
): { rows: CsvRow[]; isCut: boolean } => {
  const text = given.startsWith('\uFEFF') ? given.slice(1) : given
  const separator = separatorOf(text)
  const rows: CsvRow[] = []
  let fields: string[] = []
  let [at, line, began] = [0, 1, 1]
  const endRow = () => {
    if (fields.some((field) => field !== '')) rows.push({ line: began, fields })
    fields = []
    began = line
  }
  for (let left = maxFields; at < text.length && rows.length < maxRows; left -= 1) {
    if (left === 0) return { rows: [], isCut: true }
    const field = readField(text, at, separator)
    if (fields.length < MAX_COLUMNS) fields.push(field.value.trim())
    line += field.breaks
    at = field.end
    if (text[at] === separator) {
      at += 1
      continue
    }
    at += text.startsWith('\r\n', at) ? 2 : 1
    line += 1
    endRow()
  }
  endRow()
  return { rows, isCut: text.slice(at).trim() !== '' }
}

/** Detects the separator from the first line, ignoring quoted text. */
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

type ReadField = { value: string; breaks: number; end: number }

/** One field, how many lines end in it, and where the separator or the end of its own line stands. */
const readField = (text: string, start: number, separator: string): ReadField => {
  const close = text[start] === QUOTE ? closingQuote(text, start + 1) : -1
  if (close === -1) {
    const end = endOfBare(text, start, separator)
    return { value: text.slice(start, end), breaks: 0, end }
  }
  const quoted = text.slice(start + 1, close)
  const end = endOfBare(text, close + 1, separator)
  const value = quoted.replaceAll('""', QUOTE) + text.slice(close + 1, end)
  return { value, breaks: quoted.includes('\n') ? quoted.split('\n').length - 1 : 0, end }
}

/** -1 when there is none. */
const closingQuote = (text: string, start: number): number => {
  const last = Math.min(text.length, start + MAX_QUOTED)
  let at = start
  while (at < last) {
    if (text.charCodeAt(at) !== QUOTE_CODE) at += 1
    else if (text.charCodeAt(at + 1) === QUOTE_CODE) at += 2
    else return at
  }
  return -1
}

const endOfBare = (text: string, start: number, separator: string): number => {
  let at = start
  while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') at += 1
  return at
}
