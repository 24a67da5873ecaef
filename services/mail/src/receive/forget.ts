import type { Database, Tx } from '@stoa/kit/db/database.ts'
import { forgetExpired } from '../filters/memory.ts'
import type { Tables } from '../tables.ts'
import { deleteOldReceipts } from './queries.ts'

const BATCH = 5_000
const ACTIVITY_MS = 30 * 86_400_000

/** Forgets receipts that nobody will ask for, what scripts no longer need to remember, and old activity. */
export const forgetReceived = async (database: Database<Tables>, now: Date): Promise<void> => {
  for (const forget of [deleteOldReceipts, forgetExpired, deleteOldActivity])
    while ((await database.tx((tx) => forget(tx, now, BATCH))) === BATCH);
}

const deleteOldActivity = async (tx: Tx<Tables>, now: Date, limit: number): Promise<number> => {
  const rows = await tx.query({
    text: `delete from activity where ctid in (
             select ctid from activity where created_at <= $1 limit $2 for update skip locked) returning 1`,
    values: [new Date(now.getTime() - ACTIVITY_MS), limit],
  })
  return rows.length
}
