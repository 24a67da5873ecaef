import { inBatches } from '@stoa/kit/db/batches.ts'
import type { Database, Tx } from '@stoa/kit/db/database.ts'
import type { Tables } from '../../tables.ts'
import { IDEMPOTENCY_MS } from './idempotency.ts'
import { deleteOldAnswers } from './idempotency-queries.ts'

/** How long the content of a mail is kept; that it was sent, and its events, stay. */
const BODY_MS = 30 * 86_400_000
const ROWS_AT_ONCE = 500

/** Forgets bodies and answers whose time has passed. */
export const forgetEmails = async (database: Database<Tables>, now: Date): Promise<void> => {
  const before = new Date(now.getTime() - BODY_MS)
  const answeredBefore = new Date(now.getTime() - IDEMPOTENCY_MS)
  await inBatches(database, ROWS_AT_ONCE, (tx, limit) => deleteBodies(tx, before, limit))
  await inBatches(database, ROWS_AT_ONCE, (tx, limit) => deleteOldAnswers(tx, answeredBefore, limit))
}

/** Removes the mails of deleted accounts, some at a time: with the accounts themselves they would go all at once. */
export const purgeEmails = (database: Database<Tables>): Promise<number> =>
  inBatches(database, ROWS_AT_ONCE, deleteEmailsOfDeleted)

const deleteBodies = async (tx: Tx<Tables>, before: Date, limit: number): Promise<number> => {
  // What waits for its time is not old before that.
  const rows = await tx.query({
    text: `delete from email_body b using (
             select o.account_id, o.email_id from email_body o
             join email e on e.account_id = o.account_id and e.id = o.email_id
             where o.created_at <= $1 and e.status <> 'scheduled' limit $2) old
           where b.account_id = old.account_id and b.email_id = old.email_id returning 1`,
    values: [before, limit],
  })
  return rows.length
}

const deleteEmailsOfDeleted = async (tx: Tx<Tables>, limit: number): Promise<number> => {
  const rows = await tx.query({
    text: `delete from email e using (
             select o.account_id, o.id from email o join account a on a.id = o.account_id
             where a.deleted_at is not null limit $1) gone
           where e.account_id = gone.account_id and e.id = gone.id returning 1`,
    values: [limit],
  })
  return rows.length
}
