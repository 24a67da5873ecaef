/** From its beginning up to, but without, its end. */
export type Period = { readonly start: Date; readonly end: Date }

const DAY_MS = 86_400_000

/** `2026`, `2026-03`, `2026-03-01` (also with slashes), `today`, `yesterday`, or a time back from now: `7d 2w 3m 1y`. */
export const readPeriod = (text: string, now: Date): Period | null => {
  const word = text.toLowerCase()
  if (word === 'today') return dayOf(now)
  if (word === 'yesterday') return dayOf(new Date(now.getTime() - DAY_MS))
  return readBack(word, now) ?? readDate(word)
}

const dayOf = (moment: Date): Period => {
  const start = new Date(moment)
  start.setUTCHours(0, 0, 0, 0)
  return { start, end: new Date(start.getTime() + DAY_MS) }
}

/** Mail is younger, and so are the dates that a database can compare it with. */
const isInRange = (date: Date): boolean => date.getUTCFullYear() >= 1000

const readBack = (text: string, now: Date): Period | null => {
  const [, digits = '', unit = ''] = /^(\d{1,4})([dwmy])$/.exec(text) ?? []
  if (digits === '') return null
  const count = Number(digits)
  const start = new Date(now)
  if (unit === 'd') start.setUTCDate(start.getUTCDate() - count)
  else if (unit === 'w') start.setUTCDate(start.getUTCDate() - 7 * count)
  else if (unit === 'm') start.setUTCMonth(start.getUTCMonth() - count)
  else start.setUTCFullYear(start.getUTCFullYear() - count)
  return isInRange(start) ? { start, end: now } : null
}

const readDate = (text: string): Period | null => {
  const [, year = '', month, day] = /^(\d{4})(?:[-/](\d{1,2})(?:[-/](\d{1,2}))?)?$/.exec(text) ?? []
  if (year === '') return null
  const [y, m, d] = [Number(year), Number(month ?? 1), Number(day ?? 1)]
  const start = new Date(Date.UTC(y, m - 1, d))
  // JavaScript makes 2 March of 30 February.
  if (!isInRange(start) || start.getUTCMonth() !== m - 1 || start.getUTCDate() !== d) return null
  if (day !== undefined) return dayOf(start)
  return { start, end: new Date(month === undefined ? Date.UTC(y + 1, 0, 1) : Date.UTC(y, m, 1)) }
}
