import { hashToken } from '@stoa/kit/crypto/tokens.ts'
import type { Ctx } from '../context.ts'
import { fail } from '../errors.ts'
import { countAttempt, deleteAttempts, deleteEndedAttempts } from './queries.ts'

/** Wrong passwords in a quarter of an hour. The limit per second comes first; this one ends patient guessing. */
export const MAX_ATTEMPTS = 100
export const ATTEMPT_WINDOW_MS = 15 * 60_000
/** More than one, so that leftovers shrink even while every attempt leaves one. */
const CLEANED_PER_ATTEMPT = 5

/** Who tries a password, as stored: a hash, because people also type passwords into the wrong field. */
export type AttemptKey = Buffer
export const attemptKey = (...parts: [string, ...string[]]): AttemptKey => hashToken(JSON.stringify(parts))

/**
 * Counts an attempt before the password is looked at, so that attempts at the same moment count too. Past the limit it
 * answers 429, for a right password as well; a right password within the limit calls `forgiveAttempts`.
 */
export const countPasswordAttempt = async (ctx: Ctx, key: AttemptKey): Promise<void> => {
  const now = ctx.now()
  const endsAt = new Date(now.getTime() + ATTEMPT_WINDOW_MS)
  const state = await ctx.tx(async (tx) => {
    // First the own row, which may wait for another transaction; the cleaning never waits.
    const counted = await countAttempt(tx, { key, now, endsAt })
    await deleteEndedAttempts(tx, { now, limit: CLEANED_PER_ATTEMPT })
    return counted
  })
  if (state.used <= MAX_ATTEMPTS) return
  const seconds = String(Math.max(1, Math.ceil((state.endsAt.getTime() - now.getTime()) / 1000)))
  fail('rate_limit_exceeded', {
    message: 'Too many wrong passwords. Try again later.',
    headers: { 'retry-after': seconds, 'ratelimit-remaining': '0', 'ratelimit-reset': seconds },
  })
}

export const forgiveAttempts = deleteAttempts
