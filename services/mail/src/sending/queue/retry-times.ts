const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** When a sender is notified that the message is still waiting. */
export const DELAY_NOTICE_AFTER_MS = 4 * HOUR_MS

/**
 * How long a recipient waits after its first, second … attempt; the last one repeats until the message expires.
 * Short at first, because greylisting accepts a retry after some minutes.
 */
const RETRY_MINUTES = [1, 5, 15, 30, 60, 120, 240, 360] as const

/** How long a destination that cannot be reached is left alone after its first, second … failure in a row. */
const DESTINATION_MINUTES = [1, 2, 5, 10, 20, 30] as const

/** A little later for each, so that what failed together does not come back together. */
const JITTER = 0.1

/** When a recipient is tried again: after `attempts` tries that did not succeed, but once more before it expires. */
export const nextAttemptAt = (input: { now: Date; attempts: number; expiresAt: Date }): Date => {
  const wait = step(RETRY_MINUTES, input.attempts)
  const at = input.now.getTime() + wait
  return new Date(at > input.expiresAt.getTime() && input.now < input.expiresAt ? input.expiresAt.getTime() : at)
}

/** Until when a destination is left alone after so many failures in a row. */
export const destinationRetryAt = (now: Date, failures: number): Date =>
  new Date(now.getTime() + step(DESTINATION_MINUTES, failures))

const step = (minutes: readonly number[], count: number): number => {
  const chosen = minutes[Math.min(Math.max(count, 1), minutes.length) - 1] ?? 1
  return chosen * MINUTE_MS * (1 + Math.random() * JITTER)
}
