/** A moment with the zone it was written in. */
export type ZonedDate = { readonly time: number; readonly zoneMinutes: number }

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
/** RFC 5322 §4.3; all other letters say nothing of the zone. */
const zoneNames: Readonly<Record<string, number>> = {
  ...{ UT: 0, GMT: 0, UTC: 0, Z: 0 },
  ...{ EST: -300, EDT: -240, CST: -360, CDT: -300, MST: -420, MDT: -360, PST: -480, PDT: -420 },
}

const DATE =
  /^\s*(?:[A-Za-z]{3,9}\s*,?\s+)?(\d{1,2})\s+([A-Za-z]{3})[A-Za-z]*\s+(\d{2,4})\s+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s*([+-]\d{4}|[A-Za-z]{1,5}))?/

/** The date in a header field as in RFC 5322 §3.3 and §4.3, or after the last semicolon of it (Received). */
export const parseMailDate = (value: string): ZonedDate | null => {
  const last = value.slice(value.lastIndexOf(';') + 1)
  const plain = withoutComments(last.slice(0, 500))
  const [, day, monthName = '', year = '', hour, minute, second = '0', zone = '+0000'] = DATE.exec(plain) ?? []
  const month = months.findIndex((name) => name.toLowerCase() === monthName.toLowerCase())
  if (month < 0) return null
  const zoneMinutes = parseZone(zone) ?? zoneNames[zone.toUpperCase()] ?? 0
  const midnight = Date.UTC(fullYear(year), month, Number(day))
  if (new Date(midnight).getUTCMonth() !== month || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60)
    return null
  const minutes = Number(hour) * 60 + Number(minute) - zoneMinutes
  return { time: midnight + (minutes * 60 + Number(second)) * 1000, zoneMinutes }
}

/** Minutes east of Greenwich of `+0130`, or null. */
export const parseZone = (zone: string): number | null => {
  const [, sign, hours = '', minutes = ''] = /^([+-])(\d{2})(\d{2})$/.exec(zone) ?? []
  if (!sign || Number(minutes) > 59) return null
  const total = Number(hours) * 60 + Number(minutes)
  return sign === '-' && total > 0 ? -total : total
}

/** RFC 5322 §4.3. */
const fullYear = (year: string): number => {
  if (year.length === 2) return Number(year) + (Number(year) < 50 ? 2000 : 1900)
  return year.length === 3 ? Number(year) + 1900 : Number(year)
}

const withoutComments = (text: string): string => {
  let depth = 0
  let plain = ''
  for (const character of text) {
    if (character === '(') depth += 1
    if (depth === 0) plain += character
    if (character === ')' && depth > 0) depth -= 1
  }
  return plain
}

const two = (value: number): string => String(value).padStart(2, '0')

const zoneText = (minutes: number): string =>
  `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}${two(Math.abs(minutes) % 60)}`

/** RFC 5260 §4.2: what can be asked of a date, as the local time of its zone. */
const dateParts: Readonly<Record<string, (local: Date, zone: number) => string>> = {
  year: (local) => String(local.getUTCFullYear()).padStart(4, '0'),
  month: (local) => two(local.getUTCMonth() + 1),
  day: (local) => two(local.getUTCDate()),
  date: (local) => local.toISOString().slice(0, 10),
  // The modified Julian day number of 1970-01-01 is 40587.
  julian: (local) => String(Math.floor(local.getTime() / 86_400_000) + 40_587),
  hour: (local) => two(local.getUTCHours()),
  minute: (local) => two(local.getUTCMinutes()),
  second: (local) => two(local.getUTCSeconds()),
  time: (local) => local.toISOString().slice(11, 19),
  iso8601: (local, zone) =>
    `${local.toISOString().slice(0, 19)}${zoneText(zone).slice(0, 3)}:${zoneText(zone).slice(3)}`,
  std11: (local, zone) =>
    `${weekdays[local.getUTCDay()]}, ${two(local.getUTCDate())} ${months[local.getUTCMonth()]} ${dateParts.year?.(local, zone)} ${local.toISOString().slice(11, 19)} ${zoneText(zone)}`,
  zone: (_local, zone) => zoneText(zone),
  weekday: (local) => String(local.getUTCDay()),
}

/** True for the name of something that can be asked of a date. */
export const isDatePart = (name: string): boolean => Object.hasOwn(dateParts, name.toLowerCase())

/** A part of a date, or null when there is no part of that name. */
export const datePart = ({ time, zoneMinutes }: ZonedDate, name: string): string | null => {
  const local = new Date(time + zoneMinutes * 60_000)
  // Years that ISO 8601 writes with more than four digits come from forged headers only.
  if (Number.isNaN(local.getTime()) || local.getUTCFullYear() > 9999) return null
  return isDatePart(name) ? (dateParts[name.toLowerCase()]?.(local, zoneMinutes) ?? null) : null
}
