import { parseEmail } from '@stoa/mail-model/email.ts'
import { parseCsv, toCsv, toPlainField } from './csv.ts'

type ImportLine = { line: number; email: string; reason: string }

/** What a file would suppress, before anything is sent. */
export type ImportPlan = {
  ready: readonly ImportLine[]
  /** What is no address, as it was given. */
  invalid: readonly ImportLine[]
  /** How many lines only repeat an address. */
  repeated: number
  /** There are more lines than could be read: nothing of it may be taken for the whole. */
  isCut: boolean
}

/** The names that other services give to these columns; the service knows the same. */
const EMAIL_NAMES = ['email', 'e-mail', 'email address', 'email_address', 'emailaddress', 'address', 'recipient']
const REASON_NAMES = ['reason', 'comment', 'note']

/** Reads a list of addresses: a file with or without the names of its columns, or one address on each line. */
export const planImport = (text: string): ImportPlan => {
  const { rows, isCut } = parseCsv(text)
  const names = rows[0]?.fields.map((name) => name.toLowerCase()) ?? []
  const named = names.findIndex((name) => EMAIL_NAMES.includes(name))
  const reasonAt = named === -1 ? -1 : names.findIndex((name) => REASON_NAMES.includes(name))
  const lines = rows.slice(named === -1 ? 0 : 1).map(({ line, fields }) => ({
    line,
    email: fields[Math.max(named, 0)] ?? '',
    reason: fields[reasonAt] ?? '',
  }))
  const ready = new Map<string, ImportLine>()
  const invalid: ImportLine[] = []
  let repeated = 0
  for (const line of lines) {
    const email = parseEmail(line.email)
    if (email === null) invalid.push(line)
    else if (ready.has(email)) repeated += 1
    else ready.set(email, { ...line, email })
  }
  return { ready: [...ready.values()], invalid, repeated, isCut }
}

/** Few enough for a progress that moves; the service takes up to 10,000 at once. */
const CHUNK = 1_000

/** The files that are sent one after the other. */
export const chunksOf = (ready: readonly ImportLine[]): { csv: string; count: number }[] =>
  Array.from({ length: Math.ceil(ready.length / CHUNK) }, (_, index) => {
    const lines = ready.slice(index * CHUNK, (index + 1) * CHUNK)
    return {
      csv: toCsv([['email', 'reason'], ...lines.map(({ email, reason }) => [email, reason])]),
      count: lines.length,
    }
  })

/** What was no address, to be fixed and imported again. */
export const invalidFile = (invalid: readonly ImportLine[]): string =>
  toCsv([
    ['line', 'email', 'reason'],
    ...invalid.map(({ line, email, reason }) => [String(line), toPlainField(email), toPlainField(reason)]),
  ])
