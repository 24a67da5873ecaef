/** How far ahead the service sends. */
export const MAX_AHEAD_MS = 30 * 86_400_000
/** Sooner than this is now. */
const MIN_AHEAD_MS = 60_000

export type Moment = { label: string; at: Date }

/** Moments that people choose, in their own zone, soonest first; those that are too near are left out. */
export const laterMoments = (now: Date): Moment[] => {
  const at = (days: number, hour: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour)
  const toMonday = (8 - now.getDay()) % 7 || 7
  const moments = [
    { label: 'This evening', at: at(0, 18) },
    { label: 'Tomorrow morning', at: at(1, 8) },
    { label: 'Tomorrow afternoon', at: at(1, 13) },
    { label: 'Monday morning', at: at(toMonday, 8) },
  ]
  return moments
    .filter(({ at: when }) => when.getTime() - now.getTime() > 30 * MIN_AHEAD_MS)
    .filter(({ at: when }, index, all) => all.findIndex((one) => one.at.getTime() === when.getTime()) === index)
}

/** The initial value when picking a time. */
export const soonest = (now: Date): Date => laterMoments(now)[0]?.at ?? now

/** The error of a time to send at; null when it is valid. */
export const problemOfMoment = (at: Date, now: Date): string | null => {
  if (Number.isNaN(at.getTime())) return 'Choose a date and time.'
  if (at.getTime() < now.getTime() + MIN_AHEAD_MS) return 'Choose a time in the future.'
  return at.getTime() > now.getTime() + MAX_AHEAD_MS ? 'Choose a time within 30 days.' : null
}
