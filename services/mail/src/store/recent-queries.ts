import type { MailTx } from './handles.ts'

/** Raises the mark of a folder; gives where it was. Undefined: it was there already. */
export const raiseRecent = async (
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
      ), made as (
        insert into folder_recent (address_id, folder_id, uid)
        select $1, $2, $3 where not exists (select from known) on conflict do nothing returning 0::bigint as uid
      )
      select uid from raised union all select uid from made`,
    values: [addressId, folderId, uid],
  })
  return row?.uid
}
