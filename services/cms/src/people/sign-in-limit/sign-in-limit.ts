import { setTimeout as sleep } from 'node:timers/promises'
import type { ErrorCode } from '@stoa/cms-model/error-codes.ts'
import { hashToken } from '@stoa/kit/crypto/tokens.ts'
import type { CmsTx, Ctx } from '../../context.ts'
import { error } from '../../errors.ts'

/** Wrong passwords in a quarter of an hour: from one client, and from one client for one address. */
const MAX_FAILURES_PER_CLIENT = 10
const MAX_FAILURES_PER_ADDRESS = 5
/** Wrong passwords of somebody who is signed in, in the same time: a stolen session must not be used to guess on. */
const MAX_WRONG_REAUTHS = 10
/** Wrong codes of a second factor in the same time, for one account from anywhere. */
const MAX_WRONG_CODES = 5
/** Links that lead nowhere, from one client in the same time: nobody guesses 32 bytes, but asking costs us something. */
const MAX_WRONG_TOKENS = 30
const WINDOW_MS = 15 * 60_000

/** How long a guess waits for the ones before it to be decided: many right passwords at once are not an attack. */
const MAX_WAIT_MS = 3_000
const POLL_MS = 40
/** More than one guess can add, so that the table shrinks by itself. */
const SWEEP = 10

/** Who guesses: `limitKey` of the request, and the address as it was typed. */
export type Guesser = { limitKey: string; email: string }

/** The result of a check. A wrong guess names the error to respond with. */
export type Guess<T> = { isRight: true; value: T } | { isRight: false; code: ErrorCode }

/**
 * Runs one check of a password under the limit. A guess takes its place before the check and gives it back after a
 * right one, so that guesses in parallel, or in several processes, cannot exceed the limit either. A check that throws
 * was no guess: it counts for nothing, and clears nothing.
 */
export const limitGuesses = <T>(
  ctx: Ctx,
  { limitKey, email }: Guesser,
  check: () => Promise<Guess<T>>,
): Promise<Guess<T>> =>
  underLimit(
    ctx,
    [
      { key: hashToken(`client ${limitKey}`), limit: MAX_FAILURES_PER_CLIENT, isCleared: false },
      // Neither case nor space around it makes another address.
      {
        key: hashToken(`address ${limitKey} ${email.trim().toLowerCase()}`),
        limit: MAX_FAILURES_PER_ADDRESS,
        isCleared: true,
      },
    ],
    check,
  )

/** Runs one check of the password that somebody who is signed in gives once more. Sign-in does not count here. */
export const limitReauths = <T>(ctx: Ctx, accountId: string, check: () => Promise<Guess<T>>): Promise<Guess<T>> =>
  underLimit(ctx, [{ key: hashToken(`reauth ${accountId}`), limit: MAX_WRONG_REAUTHS, isCleared: true }], check)

/** Runs one check of the token of a link that somebody followed without being signed in. */
export const limitTokens = <T>(ctx: Ctx, limitKey: string, check: () => Promise<Guess<T>>): Promise<Guess<T>> =>
  underLimit(ctx, [{ key: hashToken(`token ${limitKey}`), limit: MAX_WRONG_TOKENS, isCleared: false }], check)

/** What a code is asked for: wrong ones of a session never keep anybody from signing in, nor the other way round. */
export type CodePurpose = 'sign-in' | 'reauth'

/**
 * Runs one check of a second factor, wherever it comes from: six digits would not stand many clients. Only who knows
 * the password comes this far, so that nobody else can make the person wait.
 */
export const limitCodes = <T>(
  ctx: Ctx,
  { accountId, purpose }: { accountId: string; purpose: CodePurpose },
  check: () => Promise<Guess<T>>,
): Promise<Guess<T>> =>
  underLimit(ctx, [{ key: hashToken(`code ${purpose} ${accountId}`), limit: MAX_WRONG_CODES, isCleared: true }], check)

type Outcome = 'right' | 'wrong' | 'undecided'
/** `isCleared`: a right guess makes the wrong ones before it forgotten. */
type LimitBucket = Bucket & { isCleared: boolean }

const underLimit = async <T>(
  ctx: Ctx,
  buckets: readonly LimitBucket[],
  check: () => Promise<Guess<T>>,
): Promise<Guess<T>> => {
  await takePlace(ctx, buckets)
  let outcome: Outcome = 'undecided'
  try {
    const guess = await check()
    outcome = guess.isRight ? 'right' : 'wrong'
    return guess
  } finally {
    await settle(ctx, buckets, outcome)
  }
}

const takePlace = async (ctx: Ctx, buckets: readonly LimitBucket[]): Promise<void> => {
  for (let waited = 0; ; waited += POLL_MS) {
    const now = ctx.now()
    const full = await ctx.tx(async (tx) => {
      const states = await openBuckets(tx, buckets, { now, endsAt: new Date(now.getTime() + WINDOW_MS) })
      const over = states.filter(({ failures, pending, limit }) => failures + pending >= limit)
      if (over.length === 0) for (const { key } of buckets) await countInBucket(tx, key, { failures: 0, pending: 1 })
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

const settle = (ctx: Ctx, buckets: readonly LimitBucket[], outcome: Outcome): Promise<void> =>
  ctx.tx(async (tx) => {
    const failures = outcome === 'wrong' ? 1 : 0
    for (const { key } of buckets) await countInBucket(tx, key, { failures, pending: -1 })
    if (outcome === 'right')
      for (const { key } of buckets.filter(({ isCleared }) => isCleared)) await forgetFailures(tx, key)
    await deleteEndedBuckets(tx, ctx.now(), SWEEP)
  })

type Bucket = { key: Buffer; limit: number }
type BucketState = { limit: number; failures: number; pending: number; endsAt: Date }

/**
 * The buckets as they stand, each locked until the transaction ends and in the given order, so that two guesses never
 * wait for each other in a circle. A bucket that has ended or holds nothing starts anew.
 */
const openBuckets = async (
  tx: CmsTx,
  buckets: readonly Bucket[],
  { now, endsAt }: { now: Date; endsAt: Date },
): Promise<BucketState[]> => {
  const states: BucketState[] = []
  for (const { key, limit } of buckets) {
    const [row] = await tx.query<{ failures: number; pending: number; ends_at: Date }>({
      text: `insert into login_limit as held (bucket, failures, pending, ends_at) values ($1, 0, 0, $3)
        on conflict (bucket) do update set
          failures = case when held.ends_at <= $2 then 0 else held.failures end,
          pending = case when held.ends_at <= $2 then 0 else held.pending end,
          ends_at = case when held.ends_at <= $2 or held.failures + held.pending = 0 then $3 else held.ends_at end
        returning failures, pending, ends_at`,
      values: [key, now, endsAt],
    })
    if (row) states.push({ limit, failures: row.failures, pending: row.pending, endsAt: row.ends_at })
  }
  return states
}

/** Adds to what the buckets hold. */
const countInBucket = async (
  tx: CmsTx,
  key: Buffer,
  { failures, pending }: { failures: number; pending: number },
): Promise<void> => {
  await tx.query({
    text: `update login_limit set failures = failures + $2, pending = greatest(pending + $3, 0) where bucket = $1`,
    values: [key, failures, pending],
  })
}

const forgetFailures = async (tx: CmsTx, key: Buffer): Promise<void> => {
  await tx.updateTable('login_limit').set({ failures: 0 }).where('bucket', '=', key).execute()
}

/** Removes some buckets that ended; `skip locked` because a guess may be reopening one. */
const deleteEndedBuckets = async (tx: CmsTx, now: Date, atMost: number): Promise<void> => {
  await tx
    .deleteFrom('login_limit')
    .where('bucket', 'in', (select) =>
      select
        .selectFrom('login_limit')
        .select('bucket')
        .where('ends_at', '<=', now)
        .limit(atMost)
        .forUpdate()
        .skipLocked(),
    )
    .execute()
}
