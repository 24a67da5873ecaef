import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { Tables } from '../../tables.ts'

export type IdempotencyKey = { accountId: string; route: string; key: string }

/** False when another transaction works on the same key. Held until this one ends. */
export const tryLockKey = async (tx: Tx<Tables>, { accountId, route, key }: IdempotencyKey): Promise<boolean> => {
  const [row] = await tx.query<{ locked: boolean }>({
    name: 'idempotency-lock',
    text: 'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as locked',
    values: [`idempotency ${accountId} ${route} ${key}`],
  })
  return row?.locked === true
}

export type StoredAnswer = { request_hash: Buffer; response: unknown }

export const findStoredAnswer = async (
  db: Db<Tables>,
  { accountId, route, key }: IdempotencyKey,
  since: Date,
): Promise<StoredAnswer | undefined> => {
  const [row] = await db.query<StoredAnswer>({
    name: 'idempotency-find',
    text: `select request_hash, response from idempotency_key
           where account_id = $1 and route = $2 and key = $3 and created_at > $4`,
    values: [accountId, route, key, since],
  })
  return row
}

/** Takes the place of one whose time has passed. */
export const insertAnswer = async (
  tx: Tx<Tables>,
  { accountId, route, key }: IdempotencyKey,
  answer: StoredAnswer & { now: Date },
): Promise<void> => {
  await tx.query({
    name: 'idempotency-insert',
    text: `insert into idempotency_key (account_id, route, key, request_hash, response, created_at)
           values ($1, $2, $3, $4, $5, $6)
           on conflict (account_id, route, key) do update
           set request_hash = excluded.request_hash, response = excluded.response, created_at = excluded.created_at`,
    values: [accountId, route, key, answer.request_hash, JSON.stringify(answer.response), answer.now],
  })
}

export const deleteOldAnswers = async (tx: Tx<Tables>, before: Date, limit: number): Promise<number> => {
  const rows = await tx.query({
    text: `delete from idempotency_key where ctid = any(array(
             select ctid from idempotency_key where created_at <= $1 limit $2)) returning 1`,
    values: [before, limit],
  })
  return rows.length
}
