export type SnoozeTime = { id: string; label: string; at: Date }

const MORNING = 8
const EVENING = 18
const LATER_HOURS = 3
// Later than this, "this evening" is as good as now
const LAST_AFTERNOON_HOUR = 16
const SATURDAY = 6
const MONDAY = 1

/** The moments that are offered to put mail away until, soonest first, in the person's own time. */
export const snoozeTimes = (now: Date): SnoozeTime[] => [
  ...laterToday(now),
  ...(now.getHours() < LAST_AFTERNOON_HOUR
    ? [{ id: 'evening', label: 'This evening', at: dayAt(now, 0, EVENING) }]
    : []),
  { id: 'tomorrow', label: 'Tomorrow morning', at: tomorrow(now) },
  ...weekend(now),
  ...nextWeek(now),
  { id: 'month', label: 'In a month', at: monthAt(now) },
]

/** The initial value when picking a time. */
export const tomorrow = (now: Date): Date => dayAt(now, 1, MORNING)

const dayAt = (now: Date, days: number, hour: number): Date =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour)

/** To the next such day, never today. */
const daysUntil = (now: Date, weekday: number): number => (weekday - now.getDay() + 7) % 7 || 7

/** At a full hour, and only if that is still today. */
const laterToday = (now: Date): SnoozeTime[] => {
  const at = dayAt(now, 0, now.getHours() + LATER_HOURS)
  return at.getDate() === now.getDate() && at.getHours() !== EVENING ? [{ id: 'later', label: 'Later today', at }] : []
}

/** On a Friday it is tomorrow. */
const weekend = (now: Date): SnoozeTime[] => {
  const days = daysUntil(now, SATURDAY)
  return days > 1 && now.getDay() !== 0 ? [{ id: 'weekend', label: 'This weekend', at: dayAt(now, days, MORNING) }] : []
}

/** On a Sunday it is tomorrow. */
const nextWeek = (now: Date): SnoozeTime[] => {
  const days = daysUntil(now, MONDAY)
  return days > 1 ? [{ id: 'week', label: 'Next week', at: dayAt(now, days, MORNING) }] : []
}

/** The same day of the next month, or the month's last day. */
const monthAt = (now: Date): Date => {
  const last = new Date(now.getFullYear(), now.getMonth() + 2, 0).getDate()
  return new Date(now.getFullYear(), now.getMonth() + 1, Math.min(now.getDate(), last), MORNING)
}

/** "Mon, 16 Nov, 08:00" */
export const formatMoment = (at: Date, locale?: string): string =>
  new Intl.DateTimeFormat(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
  }).format(at)
