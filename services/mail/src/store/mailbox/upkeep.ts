import { eachOnItsOwn, inBatches, inPages } from '@stoa/kit/db/batches.ts'
import type { Log } from '@stoa/kit/log.ts'
import type { MailDatabase, MailDb, MailTx } from '../handles.ts'
import { removeRows } from '../messages/removal.ts'

/** What upkeep of all mailboxes needs. */
export type UpkeepParts = { database: MailDatabase; log: Log }

const FOLDERS_AT_ONCE = 500
const PURGE_BATCH = 500
const DAY_MS = 86_400_000

/** Removes messages that have been longer in a folder than it keeps them. Gives how many. */
export const purgeFolders = async ({ database, log }: UpkeepParts, now: Date): Promise<number> => {
  let purged = 0
  await eachOnItsOwn(
    inPages<PurgedFolder>(FOLDERS_AT_ONCE, (after, limit) => findPurgedFolders(database.db, after, limit)),
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

/** Forgets changes and expunged UIDs that are long past; clients that ask for them have to read everything again. */
export const forgetChanges = ({ database, log }: UpkeepParts, now: Date): Promise<number> => {
  const before = new Date(now.getTime() - MARK_AGE_MS)
  return eachOnItsOwn(
    inPages<string>(MARK_BATCH, (after, limit) => findOldMarks(database.db, { before, after, limit })),
    async (addressId) => {
      // Committed first: from then on nobody asks for what is about to go.
      const floor = await database.tx((tx) => moveMark(tx, { addressId, before, now }))
      // If the process stops here, the next mark deletes the rest.
      if (floor !== null && floor > 0)
        await inBatches(database, FORGET_BATCH, (tx, limit) => deleteForgotten(tx, { addressId, floor, limit }))
    },
    (err, addressId) => log.error({ err, addressId }, 'old changes of a mailbox could not be forgotten'),
  )
}

type PurgedFolder = { addressId: string; folderId: string; purgeDays: number }

/** In the order of their ids. */
const findPurgedFolders = (db: MailDb, after: PurgedFolder | null, limit: number): Promise<PurgedFolder[]> =>
  db.query<PurgedFolder>({
    text: `select address_id as "addressId", id as "folderId", purge_days as "purgeDays" from folder
      where purge_days is not null and uid_next > 1 and ($1::uuid is null or (address_id, id) > ($1, $2::uuid))
      order by address_id, id limit $3`,
    values: [after?.addressId ?? null, after?.folderId ?? null, limit],
  })

type AgedRow = { uid: number; messageId: string; addedAt: Date }

/** The rows that are longest in a folder: UIDs ascend with the time of arrival. */
const findOldestRows = (
  db: MailDb,
  { addressId, folderId, limit }: { addressId: string; folderId: string; limit: number },
): Promise<AgedRow[]> =>
  db.query<AgedRow>({
    name: 'store-find-oldest-rows',
    text: `select uid, message_id as "messageId", added_at as "addedAt" from message_folder
      where address_id = $1 and folder_id = $2 order by uid limit $3`,
    values: [addressId, folderId, limit],
  })

/** Mailboxes whose mark is older than that, or that have none, in the order of their ids. */
const findOldMarks = async (
  db: MailDb,
  { before, after, limit }: { before: Date; after: string | null; limit: number },
): Promise<string[]> => {
  const rows = await db.query<{ id: string }>({
    text: `select address_id as id from mailbox
      where (marked_at is null or marked_at <= $1) and ($2::uuid is null or address_id > $2)
      order by address_id limit $3`,
    values: [before, after, limit],
  })
  return rows.map(({ id }) => id)
}

/** Raises the floor to the mark, and marks where the mailbox is now. Gives the new floor. */
const moveMark = async (
  tx: MailTx,
  { addressId, before, now }: { addressId: string; before: Date; now: Date },
): Promise<number | null> => {
  const [row] = await tx.query<{ floor: number }>({
    text: `update mailbox set floor = greatest(floor, mark_modseq), mark_modseq = modseq, marked_at = $3
      where address_id = $1 and (marked_at is null or marked_at <= $2) returning floor`,
    values: [addressId, before, now],
  })
  return row?.floor ?? null
}

/** Deletes some of the changes and expunged UIDs up to the floor. Gives how many of the one that has more. */
const deleteForgotten = async (
  tx: MailTx,
  { addressId, floor, limit }: { addressId: string; floor: number; limit: number },
): Promise<number> => {
  const values = [addressId, floor, limit]
  const changes = await tx.query({
    text: `delete from change where address_id = $1 and ctid = any (array(
        select ctid from change where address_id = $1 and modseq <= $2 limit $3 for update skip locked
      )) returning modseq`,
    values,
  })
  const expunged = await tx.query({
    text: `delete from expunged where address_id = $1 and ctid = any (array(
        select ctid from expunged where address_id = $1 and modseq <= $2 limit $3 for update skip locked
      )) returning uid`,
    values,
  })
  return Math.max(changes.length, expunged.length)
}
