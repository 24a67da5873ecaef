import type { MessageEnvelope } from '../../tables/store.ts'
import type { MailDb, MailTx } from '../handles.ts'
import type { Searched } from './searched.ts'

/** Some that wait for the indexes, or for being read. */
export const findUnindexed = async (
  db: MailDb,
  { addressId, except, limit }: { addressId: string; except: readonly string[]; limit: number },
): Promise<string[]> => {
  const rows = await db.query<{ id: string }>({
    name: 'store-find-unindexed',
    text: `select message_id as id from message_unindexed
      where address_id = $1 and text is not null and not message_id = any ($2::uuid[]) limit $3`,
    values: [addressId, except, limit],
  })
  return rows.map(({ id }) => id)
}

/** Mailboxes where some wait, in the order of their ids. */
export const findUnindexedMailboxes = async (db: MailDb, after: string | null, limit: number): Promise<string[]> => {
  const rows = await db.query<{ id: string }>({
    name: 'store-find-unindexed-mailboxes',
    text: `select distinct address_id as id from message_unindexed
      where $1::uuid is null or address_id > $1 order by id limit $2`,
    values: [after, limit],
  })
  return rows.map(({ id }) => id)
}

/**
 * Puts messages into the indexes; gives how many were there. Messages are locked before their rows, in the order in which
 * a delete locks them; those that are being deleted, or are moved by another process, are left to it.
 */
export const moveToIndex = async (tx: MailTx, addressId: string, ids: readonly string[]): Promise<number> => {
  const [row] = await tx.query<{ count: number }>({
    name: 'store-move-to-index',
    text: `with held as materialized (
        select id from message where address_id = $1 and id = any ($2::uuid[]) for key share skip locked
      ), moved as (
        delete from message_unindexed u using held
        where u.address_id = $1 and u.message_id = held.id and u.text is not null
        returning u.message_id, u.words, u.text, u.headers
      ), indexed as (
        insert into message_search (address_id, message_id, words, text, headers)
        select $1, message_id, words, text, headers from moved on conflict (address_id, message_id) do nothing
      )
      select count(*) as count from moved`,
    values: [addressId, ids],
  })
  return row?.count ?? 0
}

/** Merges the pending list of the indexes, which every search has to read as a whole. */
export const tidyIndexes = async (db: MailDb): Promise<void> => {
  await db.query({
    text: `select gin_clean_pending_list('message_search_words'::regclass), gin_clean_pending_list('message_search_text'::regclass)`,
  })
}

/** A message whose bytes have to be read before it can be found. */
export type UnreadMessage = {
  id: string
  blobKey: string
  prefix: Buffer
  size: number
  structure: Buffer
  subject: string | null
  envelope: MessageEnvelope
}

export const findUnread = (
  db: MailDb,
  { addressId, except, limit }: { addressId: string; except: readonly string[]; limit: number },
): Promise<UnreadMessage[]> =>
  db.query<UnreadMessage>({
    name: 'store-find-unread',
    text: `select m.id, m.blob_key as "blobKey", m.prefix, m.size, m.structure, m.subject, m.envelope
      from message_unindexed u join message m on m.address_id = u.address_id and m.id = u.message_id
      where u.address_id = $1 and u.text is null and not u.message_id = any ($2::uuid[]) limit $3`,
    values: [addressId, except, limit],
  })

export const storeSearched = async (
  db: MailDb,
  addressId: string,
  { id, words, text, headers }: Searched & { id: string },
): Promise<void> => {
  await db.query({
    name: 'store-store-searched',
    text: `update message_unindexed
      set words = array_to_tsvector(string_to_array($3::text, E'\\n')), text = $4, headers = $5
      where address_id = $1 and message_id = $2`,
    values: [addressId, id, words, text, headers],
  })
}

/** Takes over what a process of the version before has added; see the migration of message_unindexed. Gives how many. */
export const adoptUnindexed = async (tx: MailTx, limit: number): Promise<number> => {
  const [row] = await tx.query<{ count: number }>({
    text: `with old as materialized (
        select address_id, id from message where not indexed limit $1 for no key update skip locked
      ), marked as (
        update message m set indexed = true from old where m.address_id = old.address_id and m.id = old.id
      ), waiting as (
        insert into message_unindexed (address_id, message_id)
        select address_id, id from old where not exists (
          select from message_search s where s.address_id = old.address_id and s.message_id = old.id)
        on conflict do nothing
      )
      select count(*) as count from old`,
    values: [limit],
  })
  return row?.count ?? 0
}

/** Lets copies be found by what their originals are found by. */
export const copySearched = async (
  tx: MailTx,
  { from, to, pairs }: { from: string; to: string; pairs: readonly { from: string; to: string }[] },
): Promise<void> => {
  await tx.query({
    text: `insert into message_unindexed (address_id, message_id, words, text, headers)
      select $2, n.new_id, s.words, s.text, s.headers
      from unnest($3::uuid[], $4::uuid[]) n (old_id, new_id) left join lateral (
        select words, text, headers from message_search where address_id = $1 and message_id = n.old_id
        union all
        select words, text, headers from message_unindexed where address_id = $1 and message_id = n.old_id
        limit 1
      ) s on true
      on conflict (address_id, message_id) do update set words = excluded.words, text = excluded.text, headers = excluded.headers`,
    values: [from, to, pairs.map((pair) => pair.from), pairs.map((pair) => pair.to)],
  })
}
