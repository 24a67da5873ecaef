import type { Clock } from '../clock.ts'
import type { Counted } from '../workers/channel.ts'
import { type Link, link } from '../workers/link.ts'
import type { MaybePromise } from './route.ts'

/** A number of requests per window, which starts with the first of them. */
export type Rate = { limit: number; windowSeconds: number }

export type RateState = { allowed: boolean; headers: Record<string, string>; retryAfterSeconds: number }

export type RateLimiter = {
  /** Takes one request from the key's window. */
  take(key: string, rate: Rate): MaybePromise<RateState>
  /** The key's state; takes nothing. */
  peek(key: string, rate: Rate): MaybePromise<RateState>
  /** Whether `take` would answer at once. */
  isAtHand(key: string, rate: Rate): boolean
}

/** Counts for all workers of this machine; `name` is what they know it by. */
export const openRateLimiter = (clock: Clock, name: string): RateLimiter =>
  link ? sharedLimiter(link, name) : { ...createRateLimiter(clock), isAtHand: () => true }

/** Counts in this process. */
export const createRateLimiter = (clock: Clock) => {
  const counter = createCounter(clock)
  return {
    take: (key: string, rate: Rate): RateState => stateOf(counter.take(key, rate, 1), rate),
    peek: (key: string, rate: Rate): RateState => stateOf({ ...counter.peek(key, rate), granted: 1 }, rate),
  }
}

type Window = { used: number; endsAt: number }

/** Windows of any number of keys. */
export const createCounter = (clock: Clock) => {
  const windows = createGenerations<Window>()
  const windowOf = (key: string, now: number, { windowSeconds }: Rate): Window => {
    const window = windows.get(key)
    const endsAt = now + windowSeconds * 1000
    // A window that ends later than a new one would is left from before the clock was set back.
    return window && window.endsAt > now && window.endsAt <= endsAt ? window : { used: 0, endsAt }
  }
  return {
    /** Takes `amount`, or as much of it as is left. */
    take(key: string, rate: Rate, amount: number): Counted {
      const now = clock.now().getTime()
      const window = windowOf(key, now, rate)
      windows.keep(key, window)
      const granted = Math.max(0, Math.min(amount, rate.limit - window.used))
      window.used += granted
      return { granted, used: window.used, msLeft: window.endsAt - now }
    },
    peek(key: string, rate: Rate): Counted {
      const now = clock.now().getTime()
      const { used, endsAt } = windowOf(key, now, rate)
      return { granted: 0, used, msLeft: endsAt - now }
    },
  }
}

/** `left` of the `used` were granted to this worker and wait for requests. */
type Lease = { limit: number; used: number; left: number; endsAt: number }

/** What a worker takes at a time: little enough that what others hold unused is less than a twentieth of the limit. */
const leaseOf = ({ limit }: Rate, workers: number): number => Math.max(1, Math.floor(limit / (20 * workers)))

/**
 * Counts in the primary. Small limits are asked for one by one, and exact. Of large ones a worker takes several at a time,
 * so that a request seldom waits. A window that is used up stays so until it ends, and is not asked for again.
 */
const sharedLimiter = (link: Link, name: string): RateLimiter => {
  const leases = createGenerations<Lease>()
  const asking = new Map<string, Promise<unknown>>()
  const now = () => performance.now()
  const leased = (key: string, { limit }: Rate): Lease | undefined => {
    const lease = leases.get(key)
    const isKnown = lease && lease.limit === limit && lease.endsAt > now()
    return isKnown && (lease.left > 0 || lease.used >= limit) ? lease : undefined
  }
  const takeOf = (lease: Lease, rate: Rate): RateState => {
    const granted = Math.min(1, lease.left)
    lease.left -= granted
    return stateOf({ granted, used: lease.used - lease.left, msLeft: lease.endsAt - now() }, rate)
  }
  const lend = async (key: string, rate: Rate, amount: number): Promise<RateState> => {
    const counted = (await link.ask('take', { key: `${name} ${key}`, ...rate, amount })) ?? NOBODY_COUNTS
    const { granted, used, msLeft } = counted
    const lease = { limit: rate.limit, used, left: granted, endsAt: now() + msLeft }
    const state = takeOf(lease, rate)
    if (lease.left > 0 || used >= rate.limit) leases.keep(key, lease)
    return state
  }
  const take = (key: string, rate: Rate): MaybePromise<RateState> => {
    const lease = leased(key, rate)
    if (lease) return takeOf(lease, rate)
    const amount = leaseOf(rate, link.count)
    if (amount === 1) return lend(key, rate, amount)
    const other = asking.get(key)
    if (other) return other.then(() => take(key, rate))
    const lending = lend(key, rate, amount).finally(() => asking.delete(key))
    asking.set(key, lending)
    return lending
  }
  return {
    take,
    peek: async (key, rate) => {
      const counted = (await link.ask('peek', { key: `${name} ${key}`, ...rate })) ?? NOBODY_COUNTS
      const left = leased(key, rate)?.left ?? 0
      return stateOf({ ...counted, granted: 1, used: counted.used - left }, rate)
    },
    isAtHand: (key, rate) => leased(key, rate) !== undefined,
  }
}

/** Without its primary a worker is about to end. */
const NOBODY_COUNTS: Counted = { granted: 1, used: 1, msLeft: 0 }

/** Above this many keys the oldest are forgotten: memory stays flat under address rotation. */
const MAX_KEYS = 100_000

/**
 * Two generations: when the young one is full it becomes the old one, and the old one is dropped whole. Deleting the
 * oldest keys one by one is slow, because a Map walks over all that it has deleted to find its first key.
 */
const createGenerations = <T>() => {
  let young = new Map<string, T>()
  let old = new Map<string, T>()
  return {
    get: (key: string): T | undefined => young.get(key) ?? old.get(key),
    keep(key: string, value: T): void {
      if (young.size >= MAX_KEYS / 2 && !young.has(key)) {
        old = young
        young = new Map()
      }
      young.set(key, value)
    },
  }
}

const stateOf = ({ granted, used, msLeft }: Counted, { limit }: Rate): RateState => {
  const reset = Math.max(1, Math.ceil(msLeft / 1000))
  const allowed = granted > 0
  return {
    allowed,
    retryAfterSeconds: reset,
    headers: {
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': String(Math.max(0, limit - used)),
      'ratelimit-reset': String(reset),
      ...(allowed ? {} : { 'retry-after': String(reset) }),
    },
  }
}
