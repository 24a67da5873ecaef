import { inBatches, runSteps } from '@stoa/kit/db/batches.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import { deleteOldRefused, TRACE_MS } from '../../hosting/trace/trace.ts'
import type { Tables } from '../../tables.ts'
import { forgetExpired } from '../filters/filters.ts'
import { forgetGreylist } from '../greylisting/greylisting.ts'
import { deleteOldActivity, deleteOldReceipts, deleteOldRelayReceipts } from './queries.ts'

const BATCH = 5_000

const forgetRefused: typeof deleteOldActivity = (tx, now, limit) =>
  deleteOldRefused(tx, new Date(now.getTime() - TRACE_MS), limit)

/** Forgets receipts that nobody will ask for, what scripts no longer need to remember, old activity and who waited. */
export const forgetReceived = (database: Database<Tables>, now: Date): Promise<void> => {
  const kinds = [deleteOldReceipts, deleteOldRelayReceipts, forgetExpired, deleteOldActivity, forgetRefused]
  return runSteps([
    ...kinds.map((forget) => () => inBatches(database, BATCH, (tx, limit) => forget(tx, now, limit))),
    () => forgetGreylist(database, now),
  ])
}
