/** A moment with the author's time zone. */
export type MailDate = { readonly time: number; readonly offsetMinutes: number }

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
/** RFC 5322 §4.3. Single letters were used wrongly for so long that they mean nothing, as does any other name. */
const ZONES: Readonly<Record<string, number>> = {
  edt: -240,
  est: -300,
  cdt: -300,
  cst: -360,
  mdt: -360,
  mst: -420,
  pdt: -420,
  pst: -480,
  cet: 60,
  mez: 60,
  cest: 120,
  mesz: 120,
  bst: 60,
  ist: 330,
  jst: 540,
}

/** No date is longer; what is, is an attempt to make somebody work. */
const MAX_LENGTH = 200

/** RFC 5322 §3.3 with §4.3, and the other forms that mailers write. Null when it is no date. */
export const parseDate = (text: string): MailDate | null => {
  const plain = text
    .slice(0, MAX_LENGTH)
    .replace(/\([^()]*\)/g, ' ')
    .replace(/\([^()]*\)/g, ' ')
    .replace(/^\s*[a-z]{2,10}\.?\s*,\s*|^\s*(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\.?\s+/i, '')
    .trim()
  const match = COMMON.exec(plain) ?? ISO.exec(plain) ?? ASCTIME.exec(plain)
  return match?.groups ? fromGroups(match.groups) : null
}

const CLOCK = String.raw`(?<hour>\d{1,2})\s*[:.]\s*(?<minute>\d{1,2})(?:\s*[:.]\s*(?<second>\d{1,2})(?:[.,]\d{1,9})?)?(?:\s*(?<half>[ap])m\b)?`
const ZONE = String.raw`(?:\s*(?<zone>(?:gmt|utc|ut)?\s*[+-]\s*\d{1,2}:?\d{2}|[a-z]{1,5}))?`
const COMMON = new RegExp(
  String.raw`^(?<day>\d{1,2})[\s-]+(?<month>[a-z]{3})[a-z]{0,6}\.?[\s,-]+(?<year>\d{2,4})(?:[\sT,]+${CLOCK}${ZONE})?`,
  'i',
)
const ISO = new RegExp(
  String.raw`^(?<year>\d{4})[-/](?<monthNumber>\d{1,2})[-/](?<day>\d{1,2})(?:[\sT]+${CLOCK}${ZONE})?`,
  'i',
)
const ASCTIME = new RegExp(
  String.raw`^(?<month>[a-z]{3})[a-z]{0,6}\s+(?<day>\d{1,2}),?\s+${CLOCK}(?:\s+(?<zone>[a-z]{1,5}|[+-]\d{4}))?\s+(?<year>\d{4})`,
  'i',
)

/** The format of RFC 8621: `2014-10-30T14:12:00+08:00`. */
export const formatDate = ({ time, offsetMinutes }: MailDate): string => {
  const local = new Date(time + offsetMinutes * 60_000).toISOString().slice(0, 19)
  if (offsetMinutes === 0) return `${local}Z`
  const size = Math.abs(offsetMinutes)
  return `${local}${offsetMinutes < 0 ? '-' : '+'}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`
}

const twoDigits = (value: number): string => String(value).padStart(2, '0')

const fromGroups = (groups: Readonly<Record<string, string | undefined>>): MailDate | null => {
  const year = fullYear(groups.year ?? '')
  const month = groups.month ? MONTHS.indexOf(groups.month.toLowerCase()) : Number(groups.monthNumber) - 1
  const day = Number(groups.day)
  const hour = fullHour(Number(groups.hour ?? 0), groups.half)
  const minute = Number(groups.minute ?? 0)
  // A leap second is the last one of its minute.
  const second = Math.min(Number(groups.second ?? 0), 59)
  if (month < 0 || month > 11 || hour > 23 || minute > 59 || Number(groups.second ?? 0) > 60) return null
  const date = new Date(Date.UTC(year, month, day, hour, minute, second))
  const isReal = date.getUTCDate() === day && date.getUTCMonth() === month && year >= 1900 && year <= 9998
  if (!isReal) return null
  const offsetMinutes = offsetOf(groups.zone ?? '')
  return offsetMinutes === null ? null : { time: date.getTime() - offsetMinutes * 60_000, offsetMinutes }
}

const fullYear = (digits: string): number => {
  const year = Number(digits)
  if (digits.length === 2) return year < 50 ? 2000 + year : 1900 + year
  return digits.length === 3 ? 1900 + year : year
}

const fullHour = (hour: number, half: string | undefined): number => {
  if (!half || hour > 12) return hour
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
}

const offsetOf = (zone: string): number | null => {
  const match = /([+-])\s*(\d{1,2}):?(\d{2})$/.exec(zone)
  if (!match) return ZONES[zone.trim().toLowerCase()] ?? 0
  const minutes = Number(match[2]) * 60 + Number(match[3])
  if (Number(match[3]) > 59 || minutes > 24 * 60) return null
  return match[1] === '-' ? 0 - minutes : minutes
}
