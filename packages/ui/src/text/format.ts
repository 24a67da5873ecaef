import { dateFormat, numberFormat, relativeFormat } from './formatters.ts'

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400
const WEEK = 604_800

/** "3 minutes ago", "in 2 days", "yesterday"; older than a week becomes a date. */
export const formatRelative = (at: Date, now: Date, locale?: string): string => {
  const seconds = Math.round((at.getTime() - now.getTime()) / 1000)
  const size = Math.abs(seconds)
  if (size < 45) return 'just now'
  const relative = relativeFormat(locale)
  if (size < 45 * MINUTE) return relative.format(Math.round(seconds / MINUTE) || Math.sign(seconds), 'minute')
  if (size < 22 * HOUR) return relative.format(Math.round(seconds / HOUR) || Math.sign(seconds), 'hour')
  if (size < WEEK) return relative.format(Math.round(seconds / DAY) || Math.sign(seconds), 'day')
  return formatDate(at, now, locale)
}

/** The full moment in the person's zone, with the zone's name. */
export const formatAbsolute = (at: Date, locale?: string, timeZone?: string): string =>
  dateFormat(locale, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
    ...(timeZone ? { timeZone } : {}),
  }).format(at)

/** "5 Mar", with the year when it is not this one. */
export const formatDate = (at: Date, now: Date, locale?: string): string =>
  dateFormat(locale, {
    day: 'numeric',
    month: 'short',
    ...(at.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' }),
  }).format(at)

/** A day of the calendar, `YYYY-MM-DD`, as `formatDate` writes it: the same day in every zone. */
export const formatDay = (day: string, now = new Date(), locale?: string): string =>
  formatDate(new Date(`${day}T12:00:00`), now, locale)

/** A whole or decimal number with the locale's separators. */
export const formatNumber = (value: number, locale?: string): string => numberFormat(locale, 1).format(value)

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const

/** Bytes in decimal units, as disks and mail providers count them. */
export const formatBytes = (bytes: number, locale?: string): string => {
  let value = bytes
  let unit = 0
  while (Math.abs(value) >= 999.95 && unit < BYTE_UNITS.length - 1) {
    value /= 1000
    unit += 1
  }
  const digits = unit === 0 || Math.abs(value) >= 100 ? 0 : 1
  return `${numberFormat(locale, digits).format(value)} ${BYTE_UNITS[unit]}`
}

/** "1 entry", "1,204 entries": the count with the right word. */
export const formatCount = (count: number, one: string, many: string): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`

/** Up to two initials of a name, or the first letter of an address. */
export const initialsOf = (name: string): string => {
  const words = name
    .replace(/@.*$/, '')
    .split(/[\s._-]+/)
    .filter(Boolean)
  const first = words[0]
  if (!first) return '?'
  const last = words.length > 1 ? words[words.length - 1] : undefined
  return [first, last]
    .flatMap((word) => (word ? [[...word][0] ?? ''] : []))
    .join('')
    .toUpperCase()
}
