/** True for a day that exists, as `YYYY-MM-DD`. */
export const isCalendarDate = (text: string): boolean => {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []
  return year !== undefined && isDay(Number(year), Number(month), Number(day))
}

/** The moment as UTC with milliseconds, or null when the text is not ISO 8601 with a time zone. */
export const toMoment = (text: string): string | null => {
  const parts =
    /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:Z|([+-])(\d{2}):?(\d{2})?)$/i.exec(text)
  if (!parts) return null
  const [, year, month, day, hour, minute, second = '0', fraction = '', sign, zoneHour = '0', zoneMinute = '0'] = parts
  if (!isDay(Number(year), Number(month), Number(day))) return null
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  if (Number(zoneHour) > 14 || Number(zoneMinute) > 59) return null
  const moment = new Date(0)
  moment.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  moment.setUTCHours(Number(hour), Number(minute), Number(second), Number(fraction.padEnd(3, '0').slice(0, 3)))
  const offset = (Number(zoneHour) * 60 + Number(zoneMinute)) * (sign === '-' ? -1 : 1)
  const iso = new Date(moment.getTime() - offset * 60_000).toISOString()
  // Years before 1 and after 9999 are written differently, and sort wrongly.
  return /^\d{4}-/.test(iso) && !iso.startsWith('0000') ? iso : null
}

const isDay = (year: number, month: number, day: number): boolean => {
  if (year < 1 || month < 1 || month > 12 || day < 1) return false
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0
  return day <= days
}
