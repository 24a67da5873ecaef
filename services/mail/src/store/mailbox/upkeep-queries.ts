import type { MailDb, MailTx } from '../handles.ts'

export type PurgedFolder = { addressId: string; folderId: string; purgeDays: number }

export const findPurgedFolders = (db: MailDb): Promise<PurgedFolder[]> =>
  db.query<PurgedFolder>({
    text: `select address_id as "addressId", id as "folderId", purge_days as "purgeDays" from folder
      where purge_days is not null and uid_next > 1`,
  })

export type AgedRow = { uid: number; messageId: string; addedAt: Date }

/** The rows that are longest in a folder: UIDs ascend with the time of arrival. */
export const findOldestRows = (
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
export const findOldMarks = async (
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
export const moveMark = async (
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
export const deleteForgotten = async (
  tx: MailTx,
  { addressId, floor, limit }: { addressId: string; floor: number; limit: number },
): Promise<number> => {
  const values = [addressId, floor, limit]
  const changes = await tx.query({
    text: `delete from change where (address_id, kind, modseq, object_id) in (
        select address_id, kind, modseq, object_id from change where address_id = $1 and modseq <= $2 limit $3
      ) returning modseq`,
    values,
  })
  const expunged = await tx.query({
    text: `delete from expunged where (address_id, folder_id, modseq, uid) in (
        select address_id, folder_id, modseq, uid from expunged where address_id = $1 and modseq <= $2 limit $3
      ) returning uid`,
    values,
  })
  return Math.max(changes.length, expunged.length)
}
