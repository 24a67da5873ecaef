import { parseEmail } from '@stoa/mail-model/email.ts'
import { readSuppressionFile, type SuppressionLine } from '@stoa/mail-model/suppression-file.ts'
import { toCsv, toPlainField } from './csv.ts'

/** The planned suppressions of a file, before anything is sent. */
export type ImportPlan = {
  ready: readonly SuppressionLine[]
  /** Lines that hold no valid address, unchanged. */
  invalid: readonly SuppressionLine[]
  /** How many lines only repeat an address. */
  repeated: number
  /** There are more lines than could be read: nothing of it may be taken for the whole. */
  isCut: boolean
}

/** Larger files are no lists of addresses. */
export const MAX_FILE_BYTES = 20_000_000
/** The most a browser handles easily; a longer list is refused as a whole, so that no address is left out unnoticed. */
export const MAX_LINES = 500_000

/** Parses a list of addresses like the service. */
export const planImport = (text: string): ImportPlan => {
  const { lines, isCut } = readSuppressionFile(text, { maxLines: MAX_LINES })
  const ready = new Map<string, SuppressionLine>()
  const invalid: SuppressionLine[] = []
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
export const chunksOf = (ready: readonly SuppressionLine[]): { csv: string; count: number }[] =>
  Array.from({ length: Math.ceil(ready.length / CHUNK) }, (_, index) => {
    const lines = ready.slice(index * CHUNK, (index + 1) * CHUNK)
    return {
      csv: toCsv([['email', 'reason'], ...lines.map(({ email, reason }) => [email, reason])]),
      count: lines.length,
    }
  })

/** The invalid lines as a file, to be fixed and imported again. */
export const invalidFile = (invalid: readonly SuppressionLine[]): string =>
  toCsv([
    ['line', 'email', 'reason'],
    ...invalid.map(({ line, email, reason }) => [String(line), toPlainField(email), toPlainField(reason)]),
  ])
