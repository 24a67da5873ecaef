import type { AiFeature, AiLimits, AiUsage } from '@stoa/cms-model/ai.ts'
import { sql } from 'kysely'
import type { CmsDb, CmsTx, Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { findProvider } from './queries.ts'

type BudgetCtx = Pick<Ctx, 'db' | 'tx' | 'now'>

/** Tokens that were set aside for one request to the model. */
export type Receipt = UsageKey & { readonly estimate: number }

const DAY_MS = 86_400_000

/** Days are counted in UTC, so that all processes begin a new one together. */
const dayOf = (now: Date): string => now.toISOString().slice(0, 10)

/**
 * Sets tokens aside for a request, or refuses it with 429: of two at once, the second sees what the first has taken. To be
 * settled whatever becomes of the request.
 */
export const reserveTokens = (
  ctx: BudgetCtx,
  { feature, accountId, estimate }: { feature: AiFeature; accountId: string | null; estimate: number },
): Promise<Receipt> =>
  ctx.tx(async (tx) => {
    await lockUsage(tx)
    const now = ctx.now()
    const receipt = { day: dayOf(now), feature, accountId, estimate: Math.max(0, Math.ceil(estimate)) }
    const { limits } = await findProvider(tx)
    const used = await sumUsage(tx, receipt.day, accountId)
    const scope = exceeded(limits, used, receipt)
    if (scope !== null) {
      const seconds = Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1_000)
      fail('AI_BUDGET_SPENT', { details: { scope }, headers: { 'retry-after': String(seconds) } })
    }
    await addUsage(tx, receipt, { input: receipt.estimate, output: 0, calls: 1 })
    return receipt
  })

/** Puts what was really used in place of what was set aside; null when nothing was. */
export const settleTokens = (
  ctx: Pick<Ctx, 'tx'>,
  receipt: Receipt,
  usage: { readonly input: number; readonly output: number } | null,
): Promise<void> =>
  ctx.tx((tx) =>
    addUsage(tx, receipt, {
      input: (usage?.input ?? 0) - receipt.estimate,
      output: usage?.output ?? 0,
      calls: usage === null ? -1 : 0,
    }),
  )

/** What a person has used of their tokens today. */
export const usedToday = async (
  ctx: Pick<Ctx, 'db' | 'now'>,
  accountId: string,
): Promise<{ used: number; limit: number }> => {
  const [{ limits }, used] = await Promise.all([findProvider(ctx.db), sumUsage(ctx.db, dayOf(ctx.now()), accountId)])
  return { used: used.person, limit: limits.userTokensPerDay }
}

/** Tokens by day and feature, today included. */
export const readUsage = async (ctx: Pick<Ctx, 'db' | 'now'>, days: number): Promise<AiUsage> => {
  const since = dayOf(new Date(ctx.now().getTime() - (days - 1) * DAY_MS))
  const [{ limits }, rows] = await Promise.all([findProvider(ctx.db), listUsage(ctx.db, since)])
  return { days: rows, limits }
}

/** Whose limit does not allow for it; null when all do. */
const exceeded = (limits: AiLimits, used: Used, { accountId, feature, estimate }: Receipt): string | null => {
  if (used.site + estimate > limits.siteTokensPerDay) return 'site'
  if (feature === 'visitor') return used.visitors + estimate > limits.visitorTokensPerDay ? 'visitors' : null
  return accountId !== null && used.person + estimate > limits.userTokensPerDay ? 'person' : null
}

/** The key of an advisory lock, unique in this database. */
const USAGE_LOCK = 4_300_005

/** One reservation at a time, in all processes: two could together take more than is left. */
const lockUsage = async (tx: CmsTx): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${USAGE_LOCK})`.execute(tx)
}

type Used = { site: number; person: number; visitors: number }

/** Tokens of a day (in UTC), those set aside included. */
const sumUsage = async (db: CmsDb, day: string, accountId: string | null): Promise<Used> => {
  const [row] = await db.query<Used>({
    text: `select coalesce(sum(tokens_in + tokens_out), 0)::bigint as site,
        coalesce(sum(tokens_in + tokens_out) filter (where account_id = $2), 0)::bigint as person,
        coalesce(sum(tokens_in + tokens_out) filter (where feature = 'visitor'), 0)::bigint as visitors
      from ai_usage where day = $1`,
    values: [day, accountId],
  })
  return row ?? { site: 0, person: 0, visitors: 0 }
}

type UsageKey = { day: string; feature: AiFeature; accountId: string | null }

/** Adds to what is counted; less than nothing gives back what was set aside. */
const addUsage = async (
  tx: CmsTx,
  { day, feature, accountId }: UsageKey,
  { input, output, calls }: { input: number; output: number; calls: number },
): Promise<void> => {
  await tx.query({
    text: `insert into ai_usage (day, feature, account_id, tokens_in, tokens_out, calls)
      values ($1, $2, $3, greatest($4::bigint, 0), $5, $6)
      on conflict (day, feature, account_id) do update set
        tokens_in = greatest(ai_usage.tokens_in + $4::bigint, 0),
        tokens_out = ai_usage.tokens_out + excluded.tokens_out,
        calls = ai_usage.calls + excluded.calls`,
    values: [day, feature, accountId, input, output, calls],
  })
}

type UsageDay = { day: string; feature: AiFeature; tokensIn: number; tokensOut: number; calls: number }

/** Newest day first, everybody together. */
const listUsage = async (db: CmsDb, since: string): Promise<UsageDay[]> =>
  db.query<UsageDay>({
    text: `select to_char(day, 'YYYY-MM-DD') as day, feature, sum(tokens_in)::bigint as "tokensIn",
        sum(tokens_out)::bigint as "tokensOut", sum(calls)::bigint as calls
      from ai_usage where day >= $1 group by ai_usage.day, feature order by ai_usage.day desc, feature`,
    values: [since],
  })
