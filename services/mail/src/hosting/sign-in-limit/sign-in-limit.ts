import { hashToken } from '@stoa/kit/crypto/tokens.ts'
import type { Tx } from '@stoa/kit/db/database.ts'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import type { Tables } from '../../tables.ts'

/** Attempts in a window, and when it ends. */
export type Attempts = { used: number; endsAt: Date }

/** Counts one attempt in the key's window, starting a new one when the last has ended. */
const countInWindow = async (
  tx: Tx<Tables>,
  attempt: { key: AttemptKey; now: Date; endsAt: Date },
): Promise<Attempts> => {
  const [row] = await tx.query<Attempts>({
    name: 'count-attempt',
    text: `insert into password_attempt as old (key, used, ends_at) values ($1, 1, $3)
           on conflict (key) do update set
             used = case when old.ends_at <= $2 then 1 else least(old.used + 1, 1000000) end,
             ends_at = case when old.ends_at <= $2 then excluded.ends_at else old.ends_at end
           returning used, ends_at as "endsAt"`,
    values: [attempt.key, attempt.now, attempt.endsAt],
  })
  if (!row) throw new Error('an upsert returned no row')
  return row
}

const deleteAttempts = async (tx: Tx<Tables>, key: Buffer): Promise<void> => {
  await tx.deleteFrom('password_attempt').where('key', '=', key).execute()
}

/** Removes a few windows that have ended; called with every attempt, so that the table cannot grow without end. */
const deleteEndedAttempts = async (tx: Tx<Tables>, ended: { now: Date; limit: number }): Promise<void> => {
  await tx
    .deleteFrom('password_attempt')
    .where('key', 'in', (query) =>
      query
        .selectFrom('password_attempt')
        .select('key')
        .where('ends_at', '<=', ended.now)
        .orderBy('ends_at')
        .limit(ended.limit)
        .forUpdate()
        .skipLocked(),
    )
    .execute()
}

/** Sign-ins per IP address, whatever RATE_LIMIT_PER_SECOND says: each attempt costs a password hash or a mail. */
export const SIGN_IN_RATE = { limit: 5, windowSeconds: 1 }
/** Wrong passwords at sign-in in a quarter of an hour. The limit per second comes first; this one ends patient guessing. */
export const MAX_ATTEMPTS = 100
/** Wrong passwords of a signed-in user, in the same time: an attacker with a stolen session must not keep guessing. */
export const MAX_REAUTH_ATTEMPTS = 10
/** Wrong passwords for one mailbox from one IP address in the same time, at whichever door and process. */
export const MAX_MAILBOX_ATTEMPTS = 10
/** Wrong codes in the same time: there are only a million, and three of them are right. */
const MAX_CODE_ATTEMPTS = 5
const ATTEMPT_WINDOW_MS = 15 * 60_000
/** More than one, so that leftovers shrink even while every attempt leaves one. */
const CLEANED_PER_ATTEMPT = 5

/** Who tries a password, as stored: a hash, because people also type passwords into the wrong field. */
export type AttemptKey = Buffer

export const attemptKey = (...parts: [string, ...string[]]): AttemptKey => hashToken(JSON.stringify(parts))

/**
 * Counts an attempt before the password is looked at, so that attempts at the same moment count too. Past the limit it
 * answers 429, for a right password as well; a right password within the limit calls `forgiveAttempts`.
 */
export const countPasswordAttempt = (ctx: Ctx, key: AttemptKey): Promise<void> =>
  refuseAfter(ctx, key, { limit: MAX_ATTEMPTS, what: 'passwords' })

/** As `countPasswordAttempt` for the password that somebody who is signed in gives once more. */
export const countReauthAttempt = (ctx: Ctx, key: AttemptKey): Promise<void> =>
  refuseAfter(ctx, key, { limit: MAX_REAUTH_ATTEMPTS, what: 'passwords' })

/** What a code is asked for: wrong ones of a session never keep anybody from signing in, nor the other way round. */
export type CodePurpose = 'sign-in' | 'reauth'

/** As `countPasswordAttempt` for codes of the second factor, wherever they come from. */
export const countCodeAttempt = (ctx: Ctx, accountId: string, purpose: CodePurpose): Promise<void> =>
  refuseAfter(ctx, codeKey(accountId, purpose), { limit: MAX_CODE_ATTEMPTS, what: 'codes' })

export const codeKey = (accountId: string, purpose: CodePurpose): AttemptKey => attemptKey('code', purpose, accountId)

export const forgiveAttempts = deleteAttempts

/** Counts one more of something in its window; false when it is over the limit. */
export const takeAllowance = async (
  ctx: Pick<Ctx, 'now'>,
  tx: Tx<Tables>,
  { key, limit, windowMs }: { key: AttemptKey; limit: number; windowMs: number },
): Promise<boolean> => {
  const { used } = await countAttempt(tx, { key, now: ctx.now(), windowMs })
  return used <= limit
}

/** Counts one more attempt, before what was given is looked at, so that attempts at the same moment count too. */
export const countAttempt = async (
  tx: Tx<Tables>,
  { key, now, windowMs = ATTEMPT_WINDOW_MS }: { key: AttemptKey; now: Date; windowMs?: number },
): Promise<Attempts> => {
  // First the own row, which may wait for another transaction; the cleaning never waits.
  const counted = await countInWindow(tx, { key, now, endsAt: new Date(now.getTime() + windowMs) })
  await deleteEndedAttempts(tx, { now, limit: CLEANED_PER_ATTEMPT })
  return counted
}

const refuseAfter = async (
  ctx: Ctx,
  key: AttemptKey,
  { limit, what }: { limit: number; what: string },
): Promise<void> => {
  const state = await ctx.tx((tx) => countAttempt(tx, { key, now: ctx.now() }))
  if (state.used <= limit) return
  const seconds = String(Math.max(1, Math.ceil((state.endsAt.getTime() - ctx.now().getTime()) / 1000)))
  fail('rate_limit_exceeded', {
    message: `Too many wrong ${what}. Try again later.`,
    headers: { 'retry-after': seconds, 'ratelimit-remaining': '0', 'ratelimit-reset': seconds },
  })
}
