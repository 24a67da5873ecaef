import { eachOnItsOwn, inBatches, inPages } from '@stoa/kit/db/batches.ts'
import type { Log } from '@stoa/kit/log.ts'
import type { MailDatabase } from '../handles.ts'
import { removeRows } from '../messages/removal.ts'
import {
  deleteForgotten,
  findOldestRows,
  findOldMarks,
  findPurgedFolders,
  moveMark,
  type PurgedFolder,
} from './upkeep-queries.ts'

/** What upkeep of all mailboxes needs. */
export type UpkeepParts = { database: MailDatabase; log: Log }

const PURGE_BATCH = 500
const DAY_MS = 86_400_000

/** Removes messages that have been longer in a folder than it keeps them. Gives how many. */
export const purgeFolders = async ({ database, log }: UpkeepParts, now: Date): Promise<number> => {
  let purged = 0
  await eachOnItsOwn(
    await findPurgedFolders(database.db),
    async (folder) => {
      for (let count = PURGE_BATCH; count === PURGE_BATCH; purged += count)
        count = await purgeOnce(database, folder, now)
    },
    (err, { addressId, folderId }) => log.error({ err, addressId, folderId }, 'a folder could not be purged'),
  )
  return purged
}

const purgeOnce = async (
  database: MailDatabase,
  { addressId, folderId, purgeDays }: PurgedFolder,
  now: Date,
): Promise<number> => {
  const limit = new Date(now.getTime() - purgeDays * DAY_MS)
  const isOld = ({ addedAt }: { addedAt: Date }) => addedAt <= limit
  const oldest = await findOldestRows(database.db, { addressId, folderId, limit: PURGE_BATCH })
  if (!oldest.some(isOld)) return 0
  const rows = oldest.filter(isOld)
  const removed = await database.tx((tx) => removeRows(tx, { addressId, folderId, rows, now }))
  return removed.length
}

/** A mark is this old before the floor is raised to it, so that changes are known for 45 to 90 days. */
const MARK_AGE_MS = 45 * DAY_MS
const MARK_BATCH = 500

/** Stays far below the statement timeout. */
const FORGET_BATCH = 5_000

/** Forgets changes and expunged UIDs that are long past; who asks for them has to read everything again. */
export const forgetChanges = ({ database, log }: UpkeepParts, now: Date): Promise<number> => {
  const before = new Date(now.getTime() - MARK_AGE_MS)
  return eachOnItsOwn(
    inPages<string>(MARK_BATCH, (after, limit) => findOldMarks(database.db, { before, after, limit })),
    async (addressId) => {
      // Committed first: from then on nobody asks for what is about to go.
      const floor = await database.tx((tx) => moveMark(tx, { addressId, before, now }))
      // What a process that stops here leaves goes with the next mark.
      if (floor !== null && floor > 0)
        await inBatches(database, FORGET_BATCH, (tx, limit) => deleteForgotten(tx, { addressId, floor, limit }))
    },
    (err, addressId) => log.error({ err, addressId }, 'old changes of a mailbox could not be forgotten'),
  )
}
