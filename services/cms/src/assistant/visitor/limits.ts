import type { VisitorUsage } from '@stoa/cms-model/visitor.ts'
import { subKey } from '@stoa/kit/crypto/seal.ts'
import { hmacToken } from '@stoa/kit/crypto/tokens.ts'
import { giveBack, type Limit, readLimits, takeLimits } from '@stoa/kit/limits/limits.ts'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import type { Tables } from '../../tables.ts'

type LimitCtx = Pick<Ctx, 'tx' | 'now' | 'config'>

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const PER_ADDRESS = [
  { max: 6, windowMs: MINUTE },
  { max: 40, windowMs: HOUR },
]
const PER_KEY = [{ max: 60, windowMs: MINUTE }]

/** Longer than any answer takes: a process that died does not lock its visitors out. */
const FLIGHT_MS = 150_000
const FLIGHT_RETRY_SECONDS = 3

/**
 * Counts a question of a delivery key and of the site, or refuses it with 429. All processes count together.
 */
export const countOfKey = (ctx: LimitCtx, keyId: string, dailyLimit: number): Promise<void> =>
  take(ctx, limitsOf(`visitor key ${keyId}`, PER_KEY), dailyLimit)

/** As `countOfKey`, for an address, which may ask one question at a time; the lock is held during the callback. */
export const asVisitor = async <T>(
  ctx: LimitCtx,
  address: string,
  dailyLimit: number,
  answer: () => Promise<T>,
): Promise<T> => {
  const who = hashOf(ctx, address)
  const flight = { key: `visitor flight ${who}`, max: 1, windowMs: FLIGHT_MS }
  const taken = await ctx.tx((tx) => takeLimits(tx, [flight], ctx.now()))
  if (!taken.allowed)
    refuse(FLIGHT_RETRY_SECONDS, 'Your last question is still being answered. Wait for the answer first.')
  try {
    await take(ctx, limitsOf(`visitor ip ${who}`, PER_ADDRESS), dailyLimit)
    return await answer()
  } finally {
    await ctx.tx((tx) => giveBack(tx, taken.receipt))
  }
}

/** Where the site's limit of today stands. */
export const readVisitorUsage = async (
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  dailyLimit: number,
): Promise<VisitorUsage> => {
  const at = now()
  const [state] = await readLimits<Tables>(db, [siteLimit(at, dailyLimit)], at)
  return { day: dayOf(at), questions: state?.used ?? 0, dailyLimit }
}

/** No address is kept, and what is kept of it means nothing the next day. */
const hashOf = ({ config, now }: LimitCtx, address: string): string =>
  hmacToken(subKey(config.secret, 'visitor'), `${dayOf(now())} ${address}`).toString('base64')

const dayOf = (now: Date): string => now.toISOString().slice(0, 10)

const limitsOf = (key: string, rates: readonly { max: number; windowMs: number }[]): Limit[] =>
  rates.map((rate) => ({ ...rate, key: `${key} ${rate.windowMs}` }))

const siteLimit = (now: Date, dailyLimit: number): Limit => ({
  key: `visitor site ${dayOf(now)}`,
  max: dailyLimit,
  windowMs: DAY,
})

const take = async (ctx: LimitCtx, limits: readonly Limit[], dailyLimit: number): Promise<void> => {
  const now = ctx.now()
  const all = [...limits, siteLimit(now, dailyLimit)]
  const { allowed, retryAfterSeconds, states } = await ctx.tx((tx) => takeLimits(tx, all, now))
  if (allowed) return
  const isSiteFull = (states.at(-1)?.retryAfterSeconds ?? 0) > 0
  if (isSiteFull)
    refuse(Math.ceil((DAY - (now.getTime() % DAY)) / 1_000), 'This site has reached its limit of questions for today')
  refuse(retryAfterSeconds, 'Too many questions. Try again later.')
}

const refuse = (seconds: number, message: string): never =>
  fail('RATE_LIMITED', { message, headers: { 'retry-after': String(seconds) } })
