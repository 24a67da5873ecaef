import type { MailDb, MailTx } from '../handles.ts'
import type { MailboxWrite } from '../mailbox/mailbox.ts'
import { copySearched } from '../search/search-queries.ts'
import { hidden } from './hidden.ts'
import { unreadSql } from './keyword-rules.ts'

/** A message in a folder. */
export type Place = { folderId: string; uid: number; deleted: boolean }

/** The state of a message that moving it needs. */
export type MessageState = {
  id: string
  threadId: string
  size: number
  isUnread: boolean
  receivedAt: Date
  snoozedUntil: Date | null
  places: Place[]
}

const ADDRESS = hidden('$1::uuid')
const FOLDER = hidden('$2::uuid')

/** Messages with all their places, in the order of the ids; unknown ids are left out. */
export const findStates = (db: MailDb, addressId: string, ids: readonly string[]): Promise<MessageState[]> =>
  db.query<MessageState>({
    name: 'store-find-states',
    text: `select m.id, m.thread_id as "threadId", m.size, ${unreadSql('m.keywords')} as "isUnread",
        m.received_at as "receivedAt", m.snoozed_until as "snoozedUntil", p.places
      from unnest(${hidden('$2::uuid[]')}) with ordinality w (id, nth)
        cross join lateral (select * from message where address_id = ${ADDRESS} and id = w.id limit 1) m
        cross join lateral (
          select coalesce(json_agg(json_build_object('folderId', p.folder_id, 'uid', p.uid, 'deleted', p.deleted)), '[]')
            as places
          from message_folder p where p.address_id = ${ADDRESS} and p.message_id = m.id
        ) p
      order by w.nth`,
    values: [addressId, ids],
  })

export type UidRow = { uid: number; messageId: string; deleted: boolean }

/** Rows of a folder by UID, in ascending order; unknown ones are left out. */
export const findUidRows = (
  db: MailDb,
  addressId: string,
  folderId: string,
  uids: readonly number[],
): Promise<UidRow[]> =>
  db.query<UidRow>({
    name: 'store-find-uid-rows',
    text: `select uid, message_id as "messageId", deleted from message_folder
      where address_id = ${ADDRESS} and folder_id = ${FOLDER} and uid = any(array(select unnest($3::bigint[]))) order by uid`,
    values: [addressId, folderId, uids],
  })

/** Rows of a folder that are marked \Deleted, those of these UIDs only if they are given. */
export const findDeletedRows = (
  db: MailDb,
  addressId: string,
  folderId: string,
  { uids, limit }: { uids: readonly number[] | null; limit: number },
): Promise<UidRow[]> =>
  db.query<UidRow>({
    name: 'store-find-deleted-rows',
    text: `select uid, message_id as "messageId", deleted from message_folder
      where address_id = ${ADDRESS} and folder_id = ${FOLDER} and deleted and ($3::bigint[] is null or uid = any($3::bigint[]))
      order by uid limit $4`,
    values: [addressId, folderId, uids, limit],
  })

export type MessagePlace = { messageId: string; folderId: string }
export type MessageRow = MessagePlace & { uid: number }

/** Removes rows and remembers their UIDs. */
export const removePlaces = async (tx: MailTx, box: MailboxWrite, rows: readonly MessageRow[]): Promise<void> => {
  if (rows.length === 0) return
  await tx.query({
    name: 'store-remove-places',
    text: `with gone as (
        delete from message_folder p using unnest($3::uuid[], $4::bigint[]) r (folder_id, uid)
        where p.address_id = $1 and p.folder_id = r.folder_id and p.uid = r.uid returning p.folder_id, p.uid
      )
      insert into expunged (address_id, folder_id, modseq, uid) select $1, folder_id, $2, uid from gone`,
    values: [box.addressId, box.modseq, rows.map(({ folderId }) => folderId), rows.map(({ uid }) => uid)],
  })
}

/** Adds rows with new UIDs that ascend in the given order. */
export const insertPlaces = (
  tx: MailTx,
  box: MailboxWrite,
  rows: readonly (MessagePlace & { receivedAt: Date })[],
  now: Date,
): Promise<MessageRow[]> =>
  tx.query<MessageRow>({
    name: 'store-insert-places',
    text: `with wanted as (
        select folder_id, message_id, received_at, row_number() over (partition by folder_id order by nth) as nth
        from unnest($3::uuid[], $4::uuid[], $5::timestamptz[]) with ordinality w (folder_id, message_id, received_at, nth)
      ), numbered as (
        update folder f set uid_next = f.uid_next + c.count
        from (select folder_id, count(*) as count from wanted group by folder_id) c
        where f.address_id = $1 and f.id = c.folder_id
        returning f.id as folder_id, f.uid_next - c.count - 1 as base
      )
      insert into message_folder (address_id, folder_id, uid, message_id, modseq, received_at, added_at)
      select $1, folder_id, n.base + w.nth, w.message_id, $2, w.received_at, $6::timestamptz
      from wanted w join numbered n using (folder_id)
      returning folder_id as "folderId", message_id as "messageId", uid`,
    values: [
      box.addressId,
      box.modseq,
      rows.map(({ folderId }) => folderId),
      rows.map(({ messageId }) => messageId),
      rows.map(({ receivedAt }) => receivedAt),
      now,
    ],
  })

export const markPlaces = async (
  tx: MailTx,
  box: MailboxWrite,
  rows: readonly (MessageRow & { deleted: boolean })[],
): Promise<void> => {
  if (rows.length === 0) return
  await tx.query({
    name: 'store-mark-places',
    text: `update message_folder p set deleted = r.deleted, modseq = $2
      from unnest($3::uuid[], $4::bigint[], $5::boolean[]) r (folder_id, uid, deleted)
      where p.address_id = $1 and p.folder_id = r.folder_id and p.uid = r.uid`,
    values: [
      box.addressId,
      box.modseq,
      rows.map(({ folderId }) => folderId),
      rows.map(({ uid }) => uid),
      rows.map(({ deleted }) => deleted),
    ],
  })
}

/** Messages that stay; `awake` are no longer in the folder of snoozed mail. */
export const touchMessages = async (
  tx: MailTx,
  box: MailboxWrite,
  { ids, awake }: { ids: readonly string[]; awake: readonly string[] },
): Promise<void> => {
  if (ids.length === 0) return
  await tx.query({
    name: 'store-touch-messages',
    text: `update message set modseq = $2,
        snoozed_until = case when id = any($4::uuid[]) then null else snoozed_until end,
        snoozed_from = case when id = any($4::uuid[]) then null else snoozed_from end
      where address_id = $1 and id = any($3::uuid[])`,
    values: [box.addressId, box.modseq, ids, awake],
  })
}

/** How long messages can be restored. */
const DAY_MS = 86_400_000
const RESTORABLE_MS = 30 * DAY_MS

/**
 * Messages that are nowhere any more. They are kept for a while with what keeps their bytes; only drafts are not, each
 * change of which makes a new message.
 */
export const deleteMessages = async (
  tx: MailTx,
  addressId: string,
  gone: readonly { id: string; folderId: string | null }[],
  now: Date,
): Promise<void> => {
  await tx.query({
    name: 'store-delete-messages',
    text: `with gone as (
        delete from message m using unnest($2::uuid[], $3::uuid[]) g (id, folder_id)
        where m.address_id = $1 and m.id = g.id
        returning m.*, g.folder_id, m.keywords @> '{$draft}' or g.folder_id is null as is_final
      ), kept as (
        insert into deleted_message (address_id, id, thread_id, folder_id, blob_key, prefix, size, structure, headers,
          wire_growth, keywords, received_at, received_zone, sent_at, subject, preview, has_attachment, envelope,
          from_sort, to_sort, subject_sort, thread_ids, subject_hash, deleted_at, purge_at)
        select $1, m.id, m.thread_id, m.folder_id, m.blob_key, m.prefix, m.size, m.structure, m.headers, m.wire_growth,
          m.keywords, m.received_at, m.received_zone, m.sent_at, m.subject, m.preview, m.has_attachment, m.envelope,
          m.from_sort, m.to_sort, m.subject_sort, coalesce(l.ids, '{}'), l.subject_hash, $4, $5
        from gone m left join lateral (
          select array_agg(id_hash) as ids, subject_hash from thread_link
          where address_id = $1 and message_id = m.id group by subject_hash limit 1
        ) l on true
        where not m.is_final
      ), links as (
        update blob_link l set kind = 'deleted', expires_at = $6 from gone m
        where not m.is_final
          and l.owner_id = $1 and l.blob_key = m.blob_key and l.kind = 'message' and l.ref_id = m.id
      ), final_links as (
        delete from blob_link l using gone m
        where m.is_final
          and l.owner_id = $1 and l.blob_key = m.blob_key and l.kind = 'message' and l.ref_id = m.id
      )
      delete from viewed v using share s
      where s.address_id = $1 and v.address_id = $1 and v.viewer_id = s.with_address_id and v.message_id = any($2::uuid[])`,
    values: [
      addressId,
      gone.map(({ id }) => id),
      gone.map(({ folderId }) => folderId),
      now,
      new Date(now.getTime() + RESTORABLE_MS),
      // The bytes outlive the row, which a job removes a little later.
      new Date(now.getTime() + RESTORABLE_MS + DAY_MS),
    ],
  })
}

/** Copies of messages under new ids, with the same blob and in the same thread, in no folder yet. */
export const cloneMessages = async (
  tx: MailTx,
  box: MailboxWrite,
  pairs: readonly { from: string; to: string }[],
  now: Date,
): Promise<void> => {
  const values = [box.addressId, pairs.map(({ from }) => from), pairs.map(({ to }) => to)]
  await tx.query({
    text: `insert into message (address_id, id, thread_id, blob_key, prefix, size, structure, keywords, received_at,
        sent_at, subject, preview, has_attachment, envelope, from_sort, to_sort, subject_sort, created_modseq, modseq,
        headers, wire_growth, received_zone, indexed)
      select $1, n.new_id, thread_id, blob_key, prefix, size, structure, keywords, received_at, sent_at, subject, preview,
        has_attachment, envelope, from_sort, to_sort, subject_sort, $4, $4, headers, wire_growth, received_zone, true
      from unnest($2::uuid[], $3::uuid[]) n (old_id, new_id) join message m on m.address_id = $1 and m.id = n.old_id`,
    values: [...values, box.modseq],
  })
  await tx.query({
    text: `with names as (select * from unnest($2::uuid[], $3::uuid[]) n (old_id, new_id)), links as (
        insert into thread_link (address_id, id_hash, subject_hash, message_id, thread_id)
        select $1, id_hash, subject_hash, new_id, thread_id
        from names join thread_link l on l.address_id = $1 and l.message_id = old_id
      ), marks as (
        insert into viewed (address_id, viewer_id, message_id)
        select $1, v.viewer_id, new_id from share s, names, viewed v
        where s.address_id = $1 and v.address_id = $1 and v.viewer_id = s.with_address_id and v.message_id = old_id
      )
      insert into blob_link (owner_id, blob_key, kind, ref_id, size, created_at)
      select $1, m.blob_key, 'message', m.id, m.size - length(m.prefix), $4
      from names join message m on m.address_id = $1 and m.id = new_id`,
    values: [...values, now],
  })
  await copySearched(tx, { from: box.addressId, to: box.addressId, pairs })
}
