import type { MessageBytes } from '../blobs/blobs.ts'
import type { MailDatabase, MailDb } from '../handles.ts'
import { openMailbox } from '../mailbox/mailbox.ts'
import { refuse } from '../refusal.ts'
import { findUidRows } from './place-queries.ts'
import { removeRows } from './removal.ts'

/** The visible messages of a folder at one moment, eight bytes each: a UID, and its size with CR LF at the end of every line. */
export type Maildrop = { readonly uids: Uint32Array; readonly octets: Uint32Array }

export const readMaildrop = async (db: MailDb, addressId: string, folderId: string): Promise<Maildrop> => {
  const { uids, octets } = await findMaildrop(db, addressId, folderId)
  return { uids: numbersOf(uids), octets: numbersOf(octets) }
}

/** The reference to the bytes of a message; `no_such_message` if it has left the folder. */
export const findInMaildrop = async (
  db: MailDb,
  input: { addressId: string; folderId: string; uid: number },
): Promise<MessageBytes> =>
  (await findMaildropMessage(db, input)) ?? refuse('no_such_message', 'the message no longer exists')

/** The mailbox is locked while so many leave. */
const BATCH = 500

/** Takes messages out of a folder, in transactions of their own; those that have left it already are passed over. */
export const removeFromFolder = async (
  database: MailDatabase,
  { addressId, folderId, uids, now }: { addressId: string; folderId: string; uids: readonly number[]; now: () => Date },
): Promise<void> => {
  for (let at = 0; at < uids.length; at += BATCH) {
    const some = uids.slice(at, at + BATCH)
    await database.tx(async (tx) => {
      // From here on nobody else changes what is there.
      await openMailbox(tx, addressId)
      const rows = await findUidRows(tx, addressId, folderId, some)
      if (rows.length > 0) await removeRows(tx, { addressId, folderId, rows, now: now() })
    })
  }
}

const numbersOf = (text: string): Uint32Array =>
  text === '' ? new Uint32Array(0) : Uint32Array.from(text.split(','), Number)

/** UIDs of a folder and what POP3 sends of each, in the order of the UIDs, as one text each: rows would take ten times as long. */
const findMaildrop = async (
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

type MaildropRow = { id: string; blobKey: string; prefix: Buffer; size: number }

/** The message that has a UID now, if it is still visible there. */
const findMaildropMessage = async (
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
