import type { MessageEnvelope } from '../../tables/store.ts'
import type { MailDb } from '../handles.ts'
import { keywordsSql, viewerStatement } from '../mailbox/viewer-queries.ts'
import { hidden } from './hidden.ts'

/** What lists show of a message. */
export type ListedMessage = {
  id: string
  threadId: string
  folderIds: string[]
  keywords: string[]
  size: number
  receivedAt: Date
  sentAt: Date | null
  subject: string | null
  preview: string
  hasAttachment: boolean
  envelope: MessageEnvelope
  snoozedUntil: Date | null
  createdModseq: number
  modseq: number
}

const listed = (
  viewer: string | null,
) => `m.id, m.thread_id as "threadId", ${keywordsSql('m', viewer)} as keywords, m.size, m.received_at as "receivedAt", m.sent_at as "sentAt",
  m.subject, m.preview, m.has_attachment as "hasAttachment", m.envelope, m.snoozed_until as "snoozedUntil",
  m.created_modseq as "createdModseq", m.modseq, array(
    select p.folder_id from message_folder p where p.address_id = m.address_id and p.message_id = m.id and not p.deleted
    order by p.folder_id
  ) as "folderIds"`

export type MessagesById = { addressId: string; viewerId: string | null; ids: readonly string[] }

export type Listed = { modseq: number; messages: ListedMessage[] }

/**
 * Messages by id that are visible somewhere, in the order of the ids, and how far the mailbox was when they were read.
 * Null: there is no such mailbox.
 */
export const findListed = async (db: MailDb, { addressId, viewerId, ids }: MessagesById): Promise<Listed | null> => {
  const rows = await db.query<ListedMessage & { mailboxModseq: number; nth: number | null }>(
    viewerStatement(viewerId, {
      name: 'store-find-listed',
      text: (viewer) => `select b.modseq as "mailboxModseq", l.* from mailbox b left join (
        select ${listed(viewer)}, w.nth from unnest($2::uuid[]) with ordinality w (id, nth)
          join message m on m.address_id = $1 and m.id = w.id
      ) l on true where b.address_id = $1`,
      values: [addressId, ids],
    }),
  )
  const [first] = rows
  if (!first) return null
  // Sorted here: PostgreSQL would have to read all of them before it sends the first.
  rows.sort((a, b) => (a.nth ?? 0) - (b.nth ?? 0))
  // PostgreSQL would look for the folders twice to leave out those that have none.
  const messages = rows.filter(({ nth, folderIds }) => nth !== null && folderIds.length > 0)
  return { modseq: first.mailboxModseq, messages }
}

export type Modseqs = { modseq: number; modseqs: Map<string, number> }

/** The modseqs of messages by id, and of the mailbox when they were read. Null: there is no such mailbox. */
export const findModseqs = async (db: MailDb, addressId: string, ids: readonly string[]): Promise<Modseqs | null> => {
  const [row] = await db.query<{ modseq: number; pairs: string | null }>({
    name: 'store-find-modseqs',
    text: `select b.modseq, (
        select string_agg(m.id || ' ' || m.modseq, ',') from unnest($2::uuid[]) w (id)
          join message m on m.address_id = $1 and m.id = w.id
      ) as pairs from mailbox b where b.address_id = $1`,
    values: [addressId, ids],
  })
  if (!row) return null
  const pairs = row.pairs === null ? [] : row.pairs.split(',')
  return {
    modseq: row.modseq,
    modseqs: new Map(pairs.map((pair) => [pair.slice(0, ID_LENGTH), Number(pair.slice(ID_LENGTH))])),
  }
}

const ID_LENGTH = 36

export type WholeRow = ListedMessage & {
  blobKey: string
  prefix: Buffer
  structure: Buffer
  /** See formats/mime/kept-fields.ts. */
  headers: Buffer | null
}

/** Messages with what is needed to read their bytes; includes those that are marked \Deleted everywhere. */
export const findWhole = (db: MailDb, { addressId, viewerId, ids }: MessagesById): Promise<WholeRow[]> =>
  db.query<WholeRow>(
    viewerStatement(viewerId, {
      name: 'store-find-whole',
      text: (viewer) => `select ${listed(viewer)}, m.blob_key as "blobKey", m.prefix, m.structure, m.headers
      from unnest($2::uuid[]) with ordinality w (id, nth) join message m on m.address_id = $1 and m.id = w.id
      order by w.nth`,
      values: [addressId, ids],
    }),
  )

/** A message as IMAP sees it in a folder. */
export type FolderEntry = {
  uid: number
  messageId: string
  threadId: string
  modseq: number
  deleted: boolean
  keywords: string[]
  size: number
  receivedAt: Date
  /** Minutes east of UTC. */
  receivedZone: number
}

export type EntryRange = {
  addressId: string
  viewerId: string | null
  folderId: string
  fromUid: number
  toUid: number
  /** Only these of them; null for all. */
  uids: readonly number[] | null
  changedSince: number
  limit: number
}

export const findEntries = (db: MailDb, range: EntryRange): Promise<FolderEntry[]> =>
  db.query<FolderEntry>(entriesStatement(range, { name: 'entries', columns: '' }))

/** Rows of a folder with more columns, of the place `p` and the message `m`. */
export const entriesStatement = (
  input: EntryRange,
  { name, columns }: { name: string; columns: string },
): { text: string; values: unknown[] } => {
  const byChange = input.changedSince > 0
  const uids = input.uids ?? shortRange(input)
  const isFew = uids !== null && uids.length <= MANY
  return forRows(
    uids?.length ?? input.limit,
    viewerStatement(input.viewerId, {
      name: `store-find-${byChange ? 'changed-' : ''}${name}${isFew ? '-of-uids' : ''}`,
      text: (viewer) => `select p.uid, p.message_id as "messageId", m.thread_id as "threadId", p.modseq, p.deleted,
        ${keywordsSql('m', viewer)} as keywords, m.size, p.received_at as "receivedAt",
        m.received_zone as "receivedZone" ${columns}
      ${isFew ? FEW_ENTRIES : ENTRIES} ${byChange ? 'and p.modseq > $7' : ''} order by p.uid limit $5`,
      values: [
        input.addressId,
        input.folderId,
        input.fromUid,
        input.toUid,
        input.limit,
        uids,
        ...(byChange ? [input.changedSince] : []),
      ],
    }),
  )
}

/** The UIDs of a range that has few of them, or null. */
const shortRange = ({ fromUid, toUid }: EntryRange): number[] | null =>
  toUid - fromUid < MANY ? Array.from({ length: toUid - fromUid + 1 }, (_, at) => fromUid + at) : null

const ENTRIES = `from message_folder p join message m on m.address_id = p.address_id and m.id = p.message_id
  where p.address_id = $1 and p.folder_id = $2 and p.uid between $3 and $4
    and ($6::bigint[] is null or p.uid = any($6::bigint[]))`

/** Each by its key, in a plan that is kept. */
const FEW_ENTRIES = `from unnest(array(select unnest($6::bigint[]))) u (uid) cross join lateral (
    select * from message_folder where address_id = ${hidden('$1::uuid')} and folder_id = ${hidden('$2::uuid')} and uid = u.uid limit 1
  ) p cross join lateral (
    select * from message where address_id = ${hidden('$1::uuid')} and id = p.message_id limit 1
  ) m where u.uid between $3 and $4`

/** All UIDs of a folder in order, as one text: a hundred thousand rows would take ten times as long. */
export const findUids = async (db: MailDb, addressId: string, folderId: string): Promise<number[]> => {
  const [row] = await db.query<{ uids: string | null }>({
    name: 'store-find-uids',
    text: `select string_agg(uid::text, ',' order by uid) as uids from message_folder
      where address_id = $1 and folder_id = $2`,
    values: [addressId, folderId],
  })
  return row?.uids ? row.uids.split(',').map(Number) : []
}

export const findThreads = (
  db: MailDb,
  addressId: string,
  threadIds: readonly string[],
): Promise<{ id: string; messageIds: string[] }[]> =>
  db.query({
    name: 'store-find-threads',
    text: `select m.thread_id as id, array_agg(m.id order by m.received_at, m.id) as "messageIds" from message m
      where m.address_id = $1 and m.thread_id = any($2::uuid[]) and exists (select from message_folder p
        where p.address_id = m.address_id and p.message_id = m.id and not p.deleted)
      group by m.thread_id`,
    values: [addressId, threadIds],
  })

/** A statement whose plan PostgreSQL keeps under its name. */
type NamedStatement = { name: string; text: string; values: unknown[] }

/** Planning takes about as long as this many rows. */
const MANY = 100

/**
 * The statement for so many rows: for many of them a plan is made anew. The one that is kept may be of a time when there
 * were hardly any messages, and reads all of a mailbox for each row; nobody notices before the tables are analyzed again.
 */
const forRows = (rows: number, statement: NamedStatement): { text: string; values: unknown[] } => {
  if (rows <= MANY) return statement
  const { text, values } = statement
  return { text, values }
}
