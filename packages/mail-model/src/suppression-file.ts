import { parseCsv } from './csv.ts'

/** A line of a list of addresses, as it was given; `line` is its number in the file. */
export type SuppressionLine = { line: number; email: string; reason: string }

/** The names of these columns in what other services export. */
const EMAIL_NAMES = new Set([
  'email',
  'e-mail',
  'email address',
  'email_address',
  'emailaddress',
  'address',
  'recipient',
])
const REASON_NAMES = new Set(['reason', 'comment', 'note'])

/**
 * Reads a list of addresses: a comma-separated file with or without the names of its columns, or one address on each line.
 * `isCut`: there is more than this, and nothing may be taken for the whole.
 */
export const readSuppressionFile = (
  text: string,
  { maxLines, maxFields }: { maxLines: number; maxFields?: number },
): { lines: SuppressionLine[]; isCut: boolean } => {
  // The first may be the names of the columns.
  const { rows, isCut } = parseCsv(text, { maxRows: maxLines + 1, ...(maxFields !== undefined && { maxFields }) })
  const names = rows[0]?.fields.map((name) => name.toLowerCase()) ?? []
  const named = names.findIndex((name) => EMAIL_NAMES.has(name))
  const reasonAt = named === -1 ? -1 : names.findIndex((name) => REASON_NAMES.has(name))
  const lines = rows.slice(named === -1 ? 0 : 1).map(({ line, fields }) => ({
    line,
    email: fields[Math.max(named, 0)] ?? '',
    reason: fields[reasonAt] ?? '',
  }))
  return { lines, isCut: isCut || lines.length > maxLines }
}
