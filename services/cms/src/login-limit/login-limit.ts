import { setTimeout as sleep } from 'node:timers/promises'
import { hashToken } from '@stoa/kit/crypto/tokens.ts'
import type { Ctx } from '../context.ts'
import { error } from '../errors.ts'
import {
  type Bucket,
  type BucketState,
  countInBucket,
  deleteEndedBuckets,
  forgetFailures,
  openBuckets,
} from './queries.ts'

/** Wrong passwords in a quarter of an hour: from one client, and from one client for one address. */
export const MAX_FAILURES_PER_CLIENT = 10
export const MAX_FAILURES_PER_ADDRESS = 5
export const WINDOW_MS = 15 * 60_000

/** How long a guess waits for the ones before it to be decided: many right passwords at once are not an attack. */
const MAX_WAIT_MS = 3_000
const POLL_MS = 40
/** More than one guess can add, so that the table shrinks by itself. */
const SWEEP = 10

/** Who guesses: `limitKey` of the request, and the address as it was typed. */
export type Guesser = { limitKey: string; email: string }

/**
 * Runs one check of a password under the limit. A guess takes its place before the check and gives it back after a
 * right one, so that guesses in parallel, or in several processes, cannot exceed the limit either.
 * `check` gives undefined for a wrong password.
 */
export const limitGuesses = async <T>(
  ctx: Ctx,
  guesser: Guesser,
  check: () => Promise<T | undefined>,
): Promise<T | undefined> => {
  const buckets = bucketsOf(guesser)
  await takePlace(ctx, buckets)
  let outcome: Outcome = 'undecided'
  try {
    const found = await check()
    outcome = found === undefined ? 'wrong' : 'right'
    return found
  } finally {
    await settle(ctx, buckets, outcome)
  }
}

type Outcome = 'right' | 'wrong' | 'undecided'
type Buckets = { client: Bucket; address: Bucket }

const bucketsOf = ({ limitKey, email }: Guesser): Buckets => ({
  client: { key: hashToken(`client ${limitKey}`), limit: MAX_FAILURES_PER_CLIENT },
  // Neither case nor space around it makes another address.
  address: { key: hashToken(`address ${limitKey} ${email.trim().toLowerCase()}`), limit: MAX_FAILURES_PER_ADDRESS },
})

const takePlace = async (ctx: Ctx, { client, address }: Buckets): Promise<void> => {
  for (let waited = 0; ; waited += POLL_MS) {
    const now = ctx.now()
    const full = await ctx.tx(async (tx) => {
      const states = await openBuckets(tx, [client, address], { now, endsAt: new Date(now.getTime() + WINDOW_MS) })
      const over = states.filter(({ failures, pending, limit }) => failures + pending >= limit)
      if (over.length === 0)
        for (const { key } of [client, address]) await countInBucket(tx, key, { failures: 0, pending: 1 })
      return over
    })
    if (full.length === 0) return
    const isDecided = full.some(({ failures, limit }) => failures >= limit)
    if (isDecided || waited >= MAX_WAIT_MS) throw limited(full, now)
    await sleep(POLL_MS)
  }
}

const limited = (full: readonly BucketState[], now: Date): Error => {
  const endsAt = Math.max(...full.map((state) => state.endsAt.getTime()))
  const seconds = Math.max(1, Math.ceil((endsAt - now.getTime()) / 1000))
  return error('LOGIN_LIMITED', { headers: { 'retry-after': String(seconds) }, details: { retryAfter: seconds } })
}

const settle = (ctx: Ctx, { client, address }: Buckets, outcome: Outcome): Promise<void> =>
  ctx.tx(async (tx) => {
    const failures = outcome === 'wrong' ? 1 : 0
    for (const { key } of [client, address]) await countInBucket(tx, key, { failures, pending: -1 })
    if (outcome === 'right') await forgetFailures(tx, address.key)
    await deleteEndedBuckets(tx, ctx.now(), SWEEP)
  })
