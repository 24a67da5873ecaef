/** Somebody who has just published records looks at the screen; DNS answers them within minutes. */
const EAGER_MS = 15_000
const EAGER_ROUNDS = 20
/** After that a screen was left open, more likely than not. */
const PATIENT_MS = 60_000

type Rounds = {
  /** Checks that this screen ran by itself. */
  rounds: number
  /** When the last of them began, whether it was answered or not. */
  lastAt: number
  checkedAt: string | null
  now: number
}

/** How long to wait before the next check. The clock of the service may be another one: never longer than one round. */
export const delayOf = ({ rounds, lastAt, checkedAt, now }: Rounds): number => {
  const pace = rounds < EAGER_ROUNDS ? EAGER_MS : PATIENT_MS
  const last = Math.max(lastAt, checkedAt === null ? 0 : Date.parse(checkedAt))
  return Math.min(pace, Math.max(0, last + pace - now))
}
