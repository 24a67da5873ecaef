/** The name of a time zone (IANA) as it is spelled here; null when there is none of this name. */
export const canonicalTimeZone = (text: string): string | null => {
  // An offset is no zone: it does not know summer.
  if (!/^[A-Za-z][\w+-]*(?:\/[\w+-]+)*$/.test(text) || text.length > 64) return null
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions()
    // Some systems still prefer names that the list has replaced: only the case is taken from them.
    return timeZone.toLowerCase() === text.toLowerCase() ? timeZone : text
  } catch (raised) {
    if (raised instanceof RangeError) return null
    throw raised
  }
}

const DAY_MS = 86_400_000

/** The moment at which a day (`2026-03-01`) begins in the zone: the first one after a gap at midnight. */
export const startOfDay = (day: string, timeZone: string): Date => {
  const local = Date.parse(`${day}T00:00:00Z`)
  const clock = clockOf(timeZone)
  // Zones are less than a day apart from UTC, and change their offset once at most around any midnight.
  const offsets = [local - DAY_MS, local + DAY_MS].map((at) => clock(at) - at)
  const candidates = offsets.map((offset) => local - offset).toSorted((a, b) => a - b)
  const exact = candidates.find((at) => clock(at) === local)
  return new Date(exact ?? firstAfterGap(candidates, clock, local))
}

/** The day so many days later, by the calendar. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

/** What a clock on the wall shows at a moment, written as if it were UTC. */
const clockOf = (timeZone: string): ((at: number) => number) => {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  return (at) => {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
    const [month, day, hour, minute, second] = ['month', 'day', 'hour', 'minute', 'second'].map((part) =>
      Number(parts[part]),
    )
    const shown = new Date(0)
    shown.setUTCFullYear(Number(parts.year), (month ?? 1) - 1, day)
    shown.setUTCHours(hour ?? 0, minute ?? 0, second ?? 0)
    return shown.getTime()
  }
}

const firstAfterGap = (candidates: number[], clock: (at: number) => number, local: number): number => {
  let [before = 0, after = 0] = [candidates[0], candidates.at(-1)]
  // Clocks only move forward in between: the first moment that shows the day.
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (clock(middle) >= local) after = middle
    else before = middle
  }
  return after
}
