import type { Tx } from '@stoa/kit/db/database.ts'
import type { Tables } from '../../tables.ts'

/** Counts one attempt in the key's window, starting a new one when the last has ended. */
export const countAttempt = async (
  tx: Tx<Tables>,
  attempt: { key: Buffer; now: Date; endsAt: Date },
): Promise<{ used: number; endsAt: Date }> => {
  const [row] = await tx.query<{ used: number; ends_at: Date }>({
    text: `insert into password_attempt as old (key, used, ends_at) values ($1, 1, $3)
           on conflict (key) do update set
             used = case when old.ends_at <= $2 then 1 else least(old.used + 1, 1000000) end,
             ends_at = case when old.ends_at <= $2 then excluded.ends_at else old.ends_at end
           returning used, ends_at`,
    values: [attempt.key, attempt.now, attempt.endsAt],
  })
  if (!row) throw new Error('an upsert returned no row')
  return { used: row.used, endsAt: row.ends_at }
}

export const deleteAttempts = async (tx: Tx<Tables>, key: Buffer): Promise<void> => {
  await tx.deleteFrom('password_attempt').where('key', '=', key).execute()
}

/** Removes a few windows that have ended; called with every attempt, so that the table cannot grow without end. */
export const deleteEndedAttempts = async (tx: Tx<Tables>, ended: { now: Date; limit: number }): Promise<void> => {
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
