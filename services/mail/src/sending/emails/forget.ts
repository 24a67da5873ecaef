import { inBatches } from '@stoa/kit/db/batches.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import type { Tables } from '../../tables.ts'
import { deleteBodies, deleteEmailsOfDeleted } from './forget-queries.ts'
import { IDEMPOTENCY_MS } from './idempotency.ts'
import { deleteOldAnswers } from './idempotency-queries.ts'

/** What a mail said; that it was sent and what became of it stays. */
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
