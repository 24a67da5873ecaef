import { bad } from './bad-command.ts'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** A calendar day, without a zone: `1-Feb-2026`. */
export type Day = { readonly year: number; readonly month: number; readonly day: number }

/** RFC 9051 §9, date-text. */
export const parseDay = (text: string): Day => {
  const found = /^(\d{1,2})-([A-Za-z]{3})-(\d{4})$/.exec(text)
  const [, day = '', month = '', year = ''] = found ?? bad('Invalid date')
  return checkDay({ year: Number(year), month: MONTHS.indexOf(month.toLowerCase()) + 1, day: Number(day) })
}

/** A moment, and the zone in which somebody named it, in minutes east of UTC. */
export type ZonedTime = { readonly at: Date; readonly zone: number }

/** RFC 9051 §9, date-time, as in `17-Jul-1996 02:44:25 -0700`. */
export const parseDateTime = (text: string): ZonedTime => {
  const found = /^([ \d]\d-[A-Za-z]{3}-\d{4}) (\d{2}):(\d{2}):(\d{2}) ([+-])(\d{2})(\d{2})$/.exec(text)
  const [, date = '', hour, minute, second, sign, zoneHour, zoneMinute] = found ?? bad('Invalid date and time')
  const { year, month, day } = parseDay(date.trim())
  const isGood = Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60 && Number(zoneMinute) < 60
  if (!isGood) bad('Invalid date and time')
  const zone = (sign === '-' ? -1 : 1) * (Number(zoneHour) * 60 + Number(zoneMinute))
  const time = Date.UTC(year, month - 1, day, Number(hour), Number(minute) - zone, Number(second))
  return { at: new Date(time), zone }
}

/** A moment as INTERNALDATE shows it. */
export const formatDateTime = (moment: Date, zone = 0): string => {
  const at = new Date(moment.getTime() + zone * 60_000)
  const two = (number: number) => String(number).padStart(2, '0')
  const month = MONTHS[at.getUTCMonth()] ?? ''
  const day = String(at.getUTCDate()).padStart(2, ' ')
  const date = `${day}-${month.charAt(0).toUpperCase()}${month.slice(1)}-${String(at.getUTCFullYear()).padStart(4, '0')}`
  return `${date} ${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())} ${formatZone(zone)}`
}

const formatZone = (zone: number): string => {
  const minutes = Math.abs(zone)
  return `${zone < 0 ? '-' : '+'}${String(Math.floor(minutes / 60) * 100 + (minutes % 60)).padStart(4, '0')}`
}

const checkDay = (day: Day): Day => {
  const date = new Date(Date.UTC(day.year, day.month - 1, day.day))
  const isReal = day.month > 0 && date.getUTCMonth() === day.month - 1 && date.getUTCDate() === day.day
  return isReal && day.year >= 1000 ? day : bad('Invalid date')
}
