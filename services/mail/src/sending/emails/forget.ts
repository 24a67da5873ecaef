import { deleteSomeOf, eachOnItsOwn, inBatches, inPages } from '@stoa/kit/db/batches.ts'
import type { Database, Db, Tx } from '@stoa/kit/db/database.ts'
import type { Log } from '@stoa/kit/log.ts'
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

/** Removes the mails of deleted accounts, some at a time. An account may have to stay for longer. */
export const purgeEmails = async ({ database, log }: { database: Database<Tables>; log: Log }): Promise<void> => {
  await eachOnItsOwn(
    inPages<string>(ROWS_AT_ONCE, (after, limit) => listDeletedAccounts(database.db, after, limit)),
    (id) => inBatches(database, ROWS_AT_ONCE, (tx, limit) => deleteSomeOf(tx, EMAILS, { id, limit })),
    (err, accountId) => log.error({ err, accountId }, 'the mails of a deleted account could not be removed'),
  )
}

const EMAILS = [{ table: 'email', column: 'account_id' }] as const

const deleteBodies = async (tx: Tx<Tables>, before: Date, limit: number): Promise<number> => {
  // A mail that is still scheduled keeps its body.
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

/** In the order of their ids. */
const listDeletedAccounts = async (db: Db<Tables>, after: string | null, limit: number): Promise<string[]> => {
  const rows = await db.query<{ id: string }>({
    text: `select id from account where deleted_at is not null and ($1::uuid is null or id > $1) order by id limit $2`,
    values: [after, limit],
  })
  return rows.map(({ id }) => id)
}
