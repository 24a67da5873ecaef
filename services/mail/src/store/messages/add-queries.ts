import type { MessageEnvelope } from '../../tables/store.ts'
import { MERGED_CHANGE } from '../changes/change-queries.ts'
import type { MailTx } from '../handles.ts'
import type { Searched } from '../search/searched.ts'

export type NewMessage = {
  id: string
  /** If it belongs to no thread that is there. */
  newThreadId: string
  blob: { key: string; size: number }
  prefix: Buffer
  structure: Buffer
  headers: Buffer | null
  wireGrowth: number
  keywords: string[]
  isUnread: boolean
  receivedAt: Date
  /** In which it is shown, in minutes east of UTC. */
  receivedZone?: number
  sentAt: Date | null
  subject: string | null
  preview: string
  hasAttachment: boolean
  envelope: MessageEnvelope
  fromSort: string
  toSort: string
  subjectSort: string
  folderIds: readonly string[]
  threadIds: readonly Buffer[]
  subjectHash: Buffer
  /** Null: its bytes are read for that later. */
  searched: Searched | null
  now: Date
}

export type AddedRow = {
  folderId: string
  uid: number
  threadId: string
  /** All threads that the message belongs to, itself included; more than one must be merged. */
  threads: string[] | null
}

/** A reply to messages of more threads than these does not merge them all. */
const MAX_THREADS = 9

/**
 * Stores a message in one statement. Returns a row for each folder; none, with nothing written, if a folder is missing or
 * this transaction has not taken a modseq of the mailbox.
 */
export const insertMessage = (tx: MailTx, addressId: string, message: NewMessage): Promise<AddedRow[]> =>
  tx.query<AddedRow>({
    name: 'store-insert-message',
    text: INSERT_MESSAGE,
    values: [
      addressId,
      message.isUnread ? 1 : 0,
      message.id,
      message.newThreadId,
      message.blob.key,
      message.prefix,
      message.prefix.length + message.blob.size,
      message.structure,
      message.keywords,
      message.receivedAt,
      message.sentAt,
      message.subject,
      message.preview,
      message.hasAttachment,
      JSON.stringify(message.envelope),
      message.fromSort,
      message.toSort,
      message.subjectSort,
      message.folderIds,
      message.threadIds,
      message.subjectHash,
      message.now,
      message.blob.size,
      message.headers,
      message.wireGrowth,
      message.receivedZone ?? 0,
      message.searched?.words ?? null,
      message.searched?.text ?? null,
      message.searched?.headers ?? null,
    ],
  })

/** A thread whose messages are all marked \Deleted does not exist for clients that read changes. */
const HAS_VISIBLE = `exists (select from folder f join folder_thread t on t.address_id = f.address_id
  and t.folder_id = f.id and t.thread_id = c.thread_id where f.address_id = $1)`

// Read from a query, so that PostgreSQL does not count them: it would plan anew for each number of folders and ids, which
// takes as long as the delivery.
const FOLDER_IDS = 'array(select unnest($19::uuid[]))'
const ID_HASHES = 'array(select unnest($20::bytea[]))'

// A row that this transaction has written is locked by it, and its modseq is that of all that the transaction does.
const INSERT_MESSAGE = `with box as materialized (
    select modseq from mailbox where address_id = $1 and xmin = pg_current_xact_id()::xid
  ), found as materialized (
    select thread_id from thread_link
    where address_id = $1 and id_hash = any(${ID_HASHES}) and subject_hash = $21::bytea
    group by thread_id order by thread_id limit ${MAX_THREADS}
  ), chosen as materialized (
    select coalesce((select thread_id from found order by thread_id limit 1), $4::uuid) as thread_id, modseq
    from box where (select count(*) from folder where address_id = $1 and id = any(${FOLDER_IDS})) = cardinality($19::uuid[])
  ), stored as (
    insert into message (address_id, id, thread_id, blob_key, prefix, size, structure, keywords, received_at, sent_at,
      subject, preview, has_attachment, envelope, from_sort, to_sort, subject_sort, created_modseq, modseq, headers,
      wire_growth, received_zone, indexed)
    select $1, $3::uuid, thread_id, $5::text, $6::bytea, $7::int, $8::bytea, $9::text[], $10::timestamptz, $11::timestamptz,
      $12::text, $13::text, $14::boolean, $15::jsonb, $16::text, $17::text, $18::text, modseq, modseq, $24::bytea,
      $25::int, $26::smallint, true
    from chosen
  ), searched as (
    insert into message_unindexed (address_id, message_id, words, text, headers)
    select $1, $3::uuid, array_to_tsvector(string_to_array($27::text, E'\\n')), $28::text, $29::text from chosen
  ), before as materialized (
    select f.id as folder_id, c.thread_id, c.modseq, coalesce(t.total, 0) as total, coalesce(t.unread, 0) as unread
    from chosen c cross join unnest(${FOLDER_IDS}) f (id) left join lateral (
      select total, unread from folder_thread
      where address_id = $1 and folder_id = f.id and thread_id = c.thread_id limit 1
    ) t on true
  ), thread_counted as (
    insert into folder_thread (address_id, folder_id, thread_id, total, unread)
    select $1, folder_id, thread_id, total + 1, unread + $2::int from before
    on conflict (address_id, folder_id, thread_id) do update set total = excluded.total, unread = excluded.unread
  ), placed as (
    update folder f set uid_next = f.uid_next + 1, total = f.total + 1, unread = f.unread + $2::int,
      size_bytes = f.size_bytes + $7::int, threads = f.threads + (b.total = 0)::int,
      unread_threads = f.unread_threads + (b.unread = 0 and $2::int = 1)::int, counts_modseq = b.modseq
    from before b where f.address_id = $1 and f.id = b.folder_id
    returning f.id as folder_id, f.uid_next - 1 as uid, b.modseq
  ), places as (
    insert into message_folder (address_id, folder_id, uid, message_id, modseq, received_at, added_at)
    select $1, folder_id, uid, $3::uuid, modseq, $10::timestamptz, $22::timestamptz from placed
  ), links as (
    insert into thread_link (address_id, id_hash, subject_hash, message_id, thread_id)
    select $1, id_hash, $21::bytea, $3::uuid, thread_id from chosen, unnest(${ID_HASHES}) id_hash
  ), kept as (
    insert into blob_link (owner_id, blob_key, kind, ref_id, size, created_at)
    select $1, $5::text, 'message', $3::uuid, $23::bigint, $22::timestamptz from chosen
  ), changes as (
    insert into change (address_id, kind, modseq, object_id, op)
    select $1, 'message', modseq, $3::uuid, 'created' from chosen
    union all
    select $1, 'thread', modseq, thread_id, case when exists (select from found) and ${HAS_VISIBLE} then 'updated'
      else 'created' end from chosen c
    union all
    select $1, 'folder_counts', modseq, folder_id, 'updated' from placed
    union all
    select $1, 'quota', modseq, $1, 'updated' from chosen
    ${MERGED_CHANGE}
  )
  select p.folder_id as "folderId", p.uid, c.thread_id as "threadId",
    (select array_agg(thread_id) from found) as threads
  from placed p, chosen c`
