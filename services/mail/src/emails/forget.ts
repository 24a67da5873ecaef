import type { Database, Tx } from '@stoa/kit/db/database.ts'
import type { Tables } from '../tables.ts'
import { deleteBodies, deleteEmailsOfDeleted } from './forget-queries.ts'
import { IDEMPOTENCY_MS } from './idempotency.ts'
import { deleteOldAnswers } from './idempotency-queries.ts'

/** What a mail said; that it was sent and what became of it stays. */
const BODY_MS = 30 * 86_400_000
const ROWS_AT_ONCE = 500

/** Forgets bodies and answers whose time has passed. */
export const forgetEmails = async (database: Database<Tables>, now: Date): Promise<void> => {
  await untilNone(database, (tx) => deleteBodies(tx, new Date(now.getTime() - BODY_MS), ROWS_AT_ONCE))
  await untilNone(database, (tx) => deleteOldAnswers(tx, new Date(now.getTime() - IDEMPOTENCY_MS), ROWS_AT_ONCE))
}

/** Removes the mails of deleted accounts, some at a time: with the accounts themselves they would go all at once. */
export const purgeEmails = (database: Database<Tables>): Promise<void> =>
  untilNone(database, (tx) => deleteEmailsOfDeleted(tx, ROWS_AT_ONCE))

const untilNone = async ({ tx }: Database<Tables>, remove: (tx: Tx<Tables>) => Promise<number>): Promise<void> => {
  while ((await tx(remove)) === ROWS_AT_ONCE);
}
