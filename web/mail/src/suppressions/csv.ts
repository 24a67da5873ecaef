/** Larger files are no lists of addresses. */
export const MAX_FILE_BYTES = 20_000_000
/** As many as a browser holds with ease; a longer list is refused as a whole, so that nobody is left out unseen. */
export const MAX_ROWS = 500_000
/** A quoted field that goes on longer began with a stray quote. */
const MAX_QUOTED = 10_000
const SEPARATORS = [',', ';', '\t'] as const

type Row = { line: number; fields: string[] }

/** The lines of a comma-separated text (RFC 4180) as their fields, with the number of the line each began on;
 * `isCut` when there are more than MAX_ROWS. */
export const parseCsv = (given: string): { rows: readonly Row[]; isCut: boolean } => {
  const text = given.replace(/^\uFEFF/, '')
  const head = text.slice(0, text.search(/[\r\n]|$/))
  const separator = SEPARATORS.find((sign) => head.includes(sign)) ?? ','
  const rows: Row[] = []
  let fields: string[] = []
  let [at, line, began] = [0, 1, 1]
  const end = () => {
    if (fields.some((field) => field !== '')) rows.push({ line: began, fields })
    fields = []
    began = line
  }
  while (at < text.length && rows.length < MAX_ROWS) {
    const field = readField(text, at, separator)
    line += field.breaks
    fields.push(field.value.trim())
    at = field.end
    if (text[at] === separator) {
      at += 1
      continue
    }
    at += text.startsWith('\r\n', at) ? 2 : 1
    line += 1
    end()
  }
  end()
  return { rows, isCut: text.slice(at).trim() !== '' }
}

const readField = (text: string, start: number, separator: string) => {
  if (text[start] !== '"') {
    const end = endOfBare(text, start, separator)
    return { value: text.slice(start, end), end, breaks: 0 }
  }
  const close = endOfQuoted(text, start + 1)
  if (close === -1) {
    const end = endOfBare(text, start, separator)
    return { value: text.slice(start, end), end, breaks: 0 }
  }
  const quoted = text.slice(start + 1, close)
  const end = endOfBare(text, Math.min(close + 1, text.length), separator)
  return {
    value: quoted.replaceAll('""', '"') + text.slice(close + 1, end),
    end,
    breaks: quoted.split('\n').length - 1,
  }
}

/** Where the closing quote is; -1 when there is none. */
const endOfQuoted = (text: string, start: number): number => {
  const last = Math.min(text.length, start + MAX_QUOTED)
  let at = start
  while (at < last && (text[at] !== '"' || text[at + 1] === '"')) at += text[at] === '"' ? 2 : 1
  return at < last ? at : -1
}

const endOfBare = (text: string, start: number, separator: string): number => {
  let at = start
  while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') at += 1
  return at
}

/** Lines as a comma-separated text that every spreadsheet reads. */
export const toCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((fields) => `${fields.map(toField).join(',')}\r\n`).join('')

const toField = (value: string): string => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)

/** Words that others chose must not be a formula when the file is opened. */
export const toPlainField = (value: string): string => (/^[=+\-@\t\r]/.test(value) ? `'${value}` : value)
