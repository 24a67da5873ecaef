import type { MailDb, MailTx } from '../handles.ts'

/**
 * Makes the messages of a folder up to a UID recent to one session, and to no other one (RFC 3501 §2.3.2). Gives the UID
 * after which they are; null if all of them were reported to others, or the folder does not exist any more.
 */
export const claimRecent = async (
  tx: MailTx,
  claim: { addressId: string; folderId: string; uid: number },
): Promise<number | null> => (await raiseRecent(tx, claim)) ?? null

/** The UID after which no message of a folder was reported to any session. */
export const recentMark = async (db: MailDb, folder: { addressId: string; folderId: string }): Promise<number> =>
  (await findRecent(db, folder)) ?? 0

/** Undefined: no message was reported to any session. */
const findRecent = async (
  db: MailDb,
  { addressId, folderId }: { addressId: string; folderId: string },
): Promise<number | undefined> => {
  const [row] = await db.query<{ uid: number }>({
    name: 'store-find-recent',
    text: 'select uid from folder_recent where address_id = $1 and folder_id = $2',
    values: [addressId, folderId],
  })
  return row?.uid
}

/**
 * Raises the mark of a folder; gives where it was. Undefined: it was there already, or the folder is gone. Who inserts a
 * mark holds the folder, so that it is not deleted at the same moment.
 */
const raiseRecent = async (
  tx: MailTx,
  { addressId, folderId, uid }: { addressId: string; folderId: string; uid: number },
): Promise<number | undefined> => {
  const [row] = await tx.query<{ uid: number }>({
    name: 'store-raise-recent',
    text: `with known as (
        select uid from folder_recent where address_id = $1 and folder_id = $2 for update
      ), raised as (
        update folder_recent r set uid = $3 from known
        where r.address_id = $1 and r.folder_id = $2 and known.uid < $3 returning known.uid
      ), place as (
        select address_id, id from folder
        where address_id = $1 and id = $2 and not exists (select from known) for key share
      ), made as (
        insert into folder_recent (address_id, folder_id, uid)
        select address_id, id, $3 from place on conflict do nothing returning 0::bigint as uid
      )
      select uid from raised union all select uid from made`,
    values: [addressId, folderId, uid],
  })
  return row?.uid
}
