/** A receiver's report about mail of a domain. */
export type Report = {
  readonly type: 'dmarc' | 'tls'
  /** The name that the reporter gives itself. */
  readonly org: string
  readonly reportId: string
  /** Lower case. */
  readonly domain: string
  readonly begin: Date
  readonly end: Date
  readonly pass: number
  readonly fail: number
  readonly rows: readonly Record<string, unknown>[]
}

const MAX_TEXT = 255
const MAX_COUNT = 2_147_483_647
const FIRST_YEAR = 2000
const LAST_YEAR = 2100

/** Text of others on one line, storable and short. */
export const asText = (text: string): string =>
  text
    .slice(0, MAX_TEXT)
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .toWellFormed()
    .trim()

/** A number of messages or sessions that fits a column. */
export const asCount = (value: number): number =>
  Number.isFinite(value) ? Math.min(Math.max(Math.floor(value), 0), MAX_COUNT) : 0

export const asMoment = (time: number): Date | null => {
  const date = new Date(time)
  const year = date.getUTCFullYear()
  return year >= FIRST_YEAR && year <= LAST_YEAR ? date : null
}
