import type { Clock } from '../clock.ts'

/** So many requests in a window that starts with the first of them. */
export type Rate = { limit: number; windowSeconds: number }

export type RateState = { allowed: boolean; headers: Record<string, string>; retryAfterSeconds: number }

export type RateLimiter = { take(key: string, rate: Rate): RateState }

type Window = { used: number; endsAt: number }

/** Above this many live keys the oldest windows are forgotten: memory stays flat under address rotation. */
const MAX_KEYS = 100_000

/** Counts in this process. Each call takes one request from the key's window. */
export const createRateLimiter = (clock: Clock): RateLimiter => {
  const windows = new Map<string, Window>()
  return {
    take(key, { limit, windowSeconds }) {
      const now = clock.now().getTime()
      let window = windows.get(key)
      if (!window || window.endsAt <= now) {
        windows.delete(key)
        makeRoom(windows, now)
        window = { used: 0, endsAt: now + windowSeconds * 1000 }
        windows.set(key, window)
      }
      const allowed = window.used < limit
      if (allowed) window.used += 1
      const reset = Math.max(1, Math.ceil((window.endsAt - now) / 1000))
      return {
        allowed,
        retryAfterSeconds: reset,
        headers: {
          'ratelimit-limit': String(limit),
          'ratelimit-remaining': String(limit - window.used),
          'ratelimit-reset': String(reset),
          ...(allowed ? {} : { 'retry-after': String(reset) }),
        },
      }
    },
  }
}

/** A Map iterates in insertion order, so the first keys are the oldest windows. */
const makeRoom = (windows: Map<string, Window>, now: number): void => {
  for (const [key, window] of windows) {
    if (window.endsAt > now && windows.size < MAX_KEYS) return
    windows.delete(key)
  }
}
