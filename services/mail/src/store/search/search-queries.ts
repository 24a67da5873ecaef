import type { MessageEnvelope } from '../../tables/store.ts'
import type { MailDb, MailTx } from '../handles.ts'

/** A message that cannot be found by its words yet. */
export type PendingMessage = {
  id: string
  blobKey: string
  prefix: Buffer
  size: number
  structure: Buffer
  subject: string | null
  envelope: MessageEnvelope
}

export const findPending = (
  db: MailDb,
  { addressId, except, limit }: { addressId: string; except: readonly string[]; limit: number },
): Promise<PendingMessage[]> =>
  db.query<PendingMessage>({
    name: 'store-find-pending',
    text: `select id, blob_key as "blobKey", prefix, size, structure, subject, envelope from message
      where address_id = $1 and not indexed and not id = any ($2::uuid[]) limit $3`,
    values: [addressId, except, limit],
  })

/** In the order of their ids. */
export const findPendingMailboxes = async (db: MailDb, after: string | null, limit: number): Promise<string[]> => {
  const rows = await db.query<{ id: string }>({
    name: 'store-find-pending-mailboxes',
    text: `select distinct address_id as id from message
      where not indexed and ($1::uuid is null or address_id > $1) order by id limit $2`,
    values: [after, limit],
  })
  return rows.map(({ id }) => id)
}

export type IndexedMessage = { id: string; words: readonly string[]; text: string; headers: string }

/** A message that was removed in the meantime is left out. */
export const insertIndexed = async (tx: MailTx, addressId: string, message: IndexedMessage): Promise<void> => {
  await tx.query({
    name: 'store-insert-indexed',
    text: `insert into message_search (address_id, message_id, words, text, headers)
      select $1, m.id, array_to_tsvector(string_to_array($3::text, E'\\n')), $4::text, $5::text
      from message m where m.address_id = $1 and m.id = $2 for key share of m
      on conflict (address_id, message_id) do nothing`,
    values: [addressId, message.id, message.words.join('\n'), message.text, message.headers],
  })
}

export const markIndexed = async (tx: MailTx, addressId: string, ids: readonly string[]): Promise<void> => {
  await tx.query({
    name: 'store-mark-indexed',
    text: `update message m set indexed = true where m.address_id = $1 and m.id = any($2::uuid[]) and not m.indexed
      and exists (select from message_search s where s.address_id = $1 and s.message_id = m.id)`,
    values: [addressId, ids],
  })
}
