const HOUR_MS = 3_600_000
const MORNING = 9

/** Times that people ask for, by the clocks of where they are. */
export const laterTimes = (now: Date): readonly { label: string; at: Date }[] => [
  { label: 'In 1 hour', at: new Date(now.getTime() + HOUR_MS) },
  { label: 'Tomorrow at 9:00', at: morningIn(now, 1) },
  { label: 'Next Monday at 9:00', at: morningIn(now, 8 - (now.getDay() || 7)) },
]

const morningIn = (now: Date, days: number): Date =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, MORNING)
