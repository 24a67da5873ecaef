import type { MailDb } from '../handles.ts'

/** UIDs of a folder and what POP3 sends of each, in the order of the UIDs, as one text each: rows would take ten times as long. */
export const findMaildrop = async (
  db: MailDb,
  addressId: string,
  folderId: string,
): Promise<{ uids: string; octets: string }> => {
  const [row] = await db.query<{ uids: string | null; octets: string | null }>({
    // Without a name: a plan kept from when the mailbox was empty would take minutes now.
    text: `select string_agg(p.uid::text, ',' order by p.uid) as uids,
        string_agg((m.size + m.wire_growth)::text, ',' order by p.uid) as octets
      from message_folder p join message m on m.address_id = p.address_id and m.id = p.message_id
      where p.address_id = $1 and p.folder_id = $2 and not p.deleted`,
    values: [addressId, folderId],
  })
  return { uids: row?.uids ?? '', octets: row?.octets ?? '' }
}

export type MaildropRow = { id: string; blobKey: string; prefix: Buffer; size: number }

/** The message that has a UID now, if it is still visible there. */
export const findMaildropMessage = async (
  db: MailDb,
  { addressId, folderId, uid }: { addressId: string; folderId: string; uid: number },
): Promise<MaildropRow | undefined> => {
  const [row] = await db.query<MaildropRow>({
    name: 'store-find-maildrop-message',
    text: `select m.id, m.blob_key as "blobKey", m.prefix, m.size
      from message_folder p join message m on m.address_id = p.address_id and m.id = p.message_id
      where p.address_id = $1 and p.folder_id = $2 and p.uid = $3 and not p.deleted`,
    values: [addressId, folderId, uid],
  })
  return row
}
