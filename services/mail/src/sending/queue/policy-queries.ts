import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { Tables } from '../../tables.ts'
import type { StsPolicy } from './mta-sts.ts'
import type { TlsResult } from './tls-policy.ts'

export const findStsPolicy = async (db: Db<Tables>, domain: string, now: Date): Promise<StsPolicy | null> => {
  const row = await db
    .selectFrom('mta_sts_policy')
    .select(['policy_id', 'mode', 'mx', 'expires_at'])
    .where('domain', '=', domain)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row ? { id: row.policy_id, mode: row.mode, mx: row.mx, expiresAt: row.expires_at } : null
}

export const upsertStsPolicy = async (
  tx: Tx<Tables>,
  policy: StsPolicy & { domain: string; fetchedAt: Date },
): Promise<void> => {
  const values = {
    policy_id: policy.id,
    mode: policy.mode,
    mx: [...policy.mx],
    fetched_at: policy.fetchedAt,
    expires_at: policy.expiresAt,
  }
  await tx
    .insertInto('mta_sts_policy')
    .values({ domain: policy.domain, ...values })
    .onConflict((conflict) => conflict.column('domain').doUpdateSet(values))
    .execute()
}

export type TlsCount = {
  day: string
  domain: string
  policyType: 'tlsa' | 'sts' | 'no-policy-found'
  host: string
  result: TlsResult
  sessions: number
}

export const addTlsCounts = async (tx: Tx<Tables>, counts: readonly TlsCount[]): Promise<void> => {
  await tx.query({
    text: `insert into tls_counter (day, domain, policy_type, host, result, sessions)
           select * from unnest($1::date[], $2::text[], $3::text[], $4::text[], $5::text[], $6::integer[])
           order by 1, 2, 3, 4, 5
           on conflict (day, domain, policy_type, host, result)
           do update set sessions = tls_counter.sessions + excluded.sessions`,
    values: [
      counts.map(({ day }) => day),
      counts.map(({ domain }) => domain),
      counts.map(({ policyType }) => policyType),
      counts.map(({ host }) => host),
      counts.map(({ result }) => result),
      counts.map(({ sessions }) => sessions),
    ],
  })
}
