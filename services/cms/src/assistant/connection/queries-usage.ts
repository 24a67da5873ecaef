import type { AiFeature } from '@stoa/cms-model/ai.ts'
import { sql } from 'kysely'
import type { CmsDb, CmsTx } from '../../context.ts'

/** Any number that no other lock of this database uses. */
const USAGE_LOCK = 4_300_005

/** One reservation at a time, in all processes: two could together take more than is left. */
export const lockUsage = async (tx: CmsTx): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${USAGE_LOCK})`.execute(tx)
}

export type Used = { site: number; person: number; visitors: number }

/** Tokens of a day (in UTC), those set aside included. */
export const sumUsage = async (db: CmsDb, day: string, accountId: string | null): Promise<Used> => {
  const [row] = await db.query<Used>({
    text: `select coalesce(sum(tokens_in + tokens_out), 0)::bigint as site,
        coalesce(sum(tokens_in + tokens_out) filter (where account_id = $2), 0)::bigint as person,
        coalesce(sum(tokens_in + tokens_out) filter (where feature = 'visitor'), 0)::bigint as visitors
      from ai_usage where day = $1`,
    values: [day, accountId],
  })
  return row ?? { site: 0, person: 0, visitors: 0 }
}

export type UsageKey = { day: string; feature: AiFeature; accountId: string | null }

/** Adds to what is counted; less than nothing gives back what was set aside. */
export const addUsage = async (
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

export type UsageDay = { day: string; feature: AiFeature; tokensIn: number; tokensOut: number; calls: number }

/** Newest day first, everybody together. */
export const listUsage = async (db: CmsDb, since: string): Promise<UsageDay[]> =>
  db.query<UsageDay>({
    text: `select to_char(day, 'YYYY-MM-DD') as day, feature, sum(tokens_in)::bigint as "tokensIn",
        sum(tokens_out)::bigint as "tokensOut", sum(calls)::bigint as calls
      from ai_usage where day >= $1 group by ai_usage.day, feature order by ai_usage.day desc, feature`,
    values: [since],
  })
