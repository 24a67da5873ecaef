import type { Clock } from '../clock.ts'

/** So many requests in a window that starts with the first of them. */
export type Rate = { limit: number; windowSeconds: number }

export type RateState = { allowed: boolean; headers: Record<string, string>; retryAfterSeconds: number }

export type RateLimiter = {
  /** Takes one request from the key's window. */
  take(key: string, rate: Rate): RateState
  /** Where a key stands, without taking from it. */
  peek(key: string, rate: Rate): RateState
}

type Window = { used: number; endsAt: number }

/** Above this many keys the oldest are forgotten: memory stays flat under address rotation. */
const MAX_KEYS = 100_000

/** Counts in this process. */
export const createRateLimiter = (clock: Clock): RateLimiter => {
  const windows = createWindows()
  const liveWindow = (key: string, now: number, rate: Rate): Window | undefined => {
    const window = windows.get(key)
    // A window that ends later than a new one would is left from before the clock was set back.
    return window && window.endsAt > now && window.endsAt <= now + rate.windowSeconds * 1000 ? window : undefined
  }
  return {
    take(key, rate) {
      const now = clock.now().getTime()
      const window = liveWindow(key, now, rate) ?? { used: 0, endsAt: now + rate.windowSeconds * 1000 }
      windows.keep(key, window)
      const allowed = window.used < rate.limit
      if (allowed) window.used += 1
      return stateOf(window, rate, { now, allowed })
    },
    peek(key, rate) {
      const now = clock.now().getTime()
      const unused = { used: 0, endsAt: now + rate.windowSeconds * 1000 }
      return stateOf(liveWindow(key, now, rate) ?? unused, rate, { now, allowed: true })
    },
  }
}

/**
 * Two generations: when the young one is full it becomes the old one, and the old one is dropped whole. Deleting the
 * oldest keys one by one is slow, because a Map walks over all that it has deleted to find its first key.
 */
const createWindows = () => {
  let young = new Map<string, Window>()
  let old = new Map<string, Window>()
  return {
    get: (key: string): Window | undefined => young.get(key) ?? old.get(key),
    keep(key: string, window: Window): void {
      if (young.size >= MAX_KEYS / 2 && !young.has(key)) {
        old = young
        young = new Map()
      }
      young.set(key, window)
    },
  }
}

const stateOf = (window: Window, { limit }: Rate, { now, allowed }: { now: number; allowed: boolean }): RateState => {
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
}
