import type { MailDb } from '../handles.ts'
import { keywordsSql, unreadMessageSql, viewerStatement } from '../mailbox/viewer-queries.ts'
import { hidden, hiddenAfter } from './hidden.ts'

/** A folder as IMAP opens it; all at one moment. */
export type Selection = {
  /** The modseq of the mailbox: later changes are not part of this. */
  modseq: number
  /** The highest modseq of the folder (RFC 7162 §3.1.2.1). */
  highestModseq: number
  uidValidity: number
  uidNext: number
  uids: number[]
}

/** Null: the folder is not there. */
export const readSelection = async (
  db: MailDb,
  folder: { addressId: string; folderId: string },
): Promise<Selection | null> => {
  const row = await findSelection(db, folder)
  return row ? { ...row, uids: numbersOf(row.uids) } : null
}

/** A folder as it is opened by somebody who knows what it was before. */
export type SelectionSince = Omit<Selection, 'uids'> & { delta: Delta }

/** Reads only the changes since a modseq. Null: the folder does not exist. */
export const readSelectionSince = async (
  db: MailDb,
  folder: { addressId: string; folderId: string },
  since: number,
): Promise<SelectionSince | null> => {
  const row = await findSelectionSince(db, { ...folder, since })
  if (!row?.isThere) return null
  const { modseq, highestModseq, uidValidity, uidNext } = row
  return { modseq, highestModseq, uidValidity, uidNext, delta: deltaOf(row, since) }
}

export type DeltaEntry = { uid: number; modseq: number; deleted: boolean; keywords: string[] }

export type Delta = {
  modseq: number
  isThere: boolean
  /** The history of expunges does not go back far enough. */
  isForgotten: boolean
  expunged: number[]
  /** New and changed messages by UID, at most `MAX_DELTA`. */
  entries: DeltaEntry[]
}

export const MAX_DELTA = 5_000

/** Changes in a folder; beyond `MAX_DELTA` entries, read on with `afterUid`. Null: there is no mailbox. */
export const readDelta = async (
  db: MailDb,
  query: {
    addressId: string
    viewerId: string | null
    folderId: string
    /** Entries that changed after this. */
    since: number
    /** Also read UIDs that were expunged after this; null: not requested. */
    expungedSince: number | null
    afterUid?: number
  },
): Promise<Delta | null> => {
  const row = await findDelta(db, { ...query, afterUid: query.afterUid ?? 0, limit: MAX_DELTA })
  return row ? deltaOf(row, query.expungedSince) : null
}

const deltaOf = (row: DeltaRow, expungedSince: number | null): Delta => ({
  modseq: row.modseq,
  isThere: row.isThere,
  isForgotten: expungedSince !== null && expungedSince < row.floor,
  expunged: numbersOf(row.expunged),
  entries: row.entries ?? [],
})

/** Below this count, checking messages one by one is faster than scanning the folder. */
const RARE = 5_000

/** The UID of the first message that was not read (RFC 3501 §7.1, UNSEEN); null if there is none. `unread`: by the owner. */
export const firstUnread = async (
  db: MailDb,
  { unread, ...folder }: { addressId: string; viewerId: string | null; folderId: string; unread: number },
): Promise<number | null> => {
  if (folder.viewerId !== null) return findFirstUnread(db, { ...folder, isRare: false })
  return unread === 0 ? null : findFirstUnread(db, { ...folder, isRare: unread < RARE })
}

const numbersOf = (text: string | null): number[] => (text ? text.split(',').map(Number) : [])

type SelectionRow = {
  modseq: number
  highestModseq: number
  uidValidity: number
  uidNext: number
  uids: string | null
}

/** The highest modseq of messages and expunges; an empty folder has the one that it was created with. */
const HIGHEST = `greatest(f.created_modseq,
  (select max(modseq) from message_folder where address_id = $1 and folder_id = $2),
  (select max(modseq) from expunged where address_id = $1 and folder_id = $2))`

/** UIDs as one text: a hundred thousand rows would take ten times as long. */
const findSelection = async (
  db: MailDb,
  { addressId, folderId }: { addressId: string; folderId: string },
): Promise<SelectionRow | undefined> => {
  const [row] = await db.query<SelectionRow>({
    name: 'store-find-selection',
    text: `select b.modseq, f.uid_validity as "uidValidity", f.uid_next as "uidNext", ${HIGHEST} as "highestModseq",
        (select string_agg(uid::text, ',' order by uid) from message_folder where address_id = $1 and folder_id = $2) as uids
      from mailbox b join folder f on f.address_id = b.address_id
      where b.address_id = $1 and f.id = $2`,
    values: [addressId, folderId],
  })
  return row
}

type DeltaRow = {
  modseq: number
  floor: number
  isThere: boolean
  expunged: string | null
  entries: { uid: number; modseq: number; deleted: boolean; keywords: string[] }[] | null
}

const ADDRESS = hidden('$1::uuid')
const FOLDER = hidden('$2::uuid')

/**
 * Changes in a folder since two moments: flags and new messages, and expunged ones (null: not requested). `offset 0` and
 * `limit 1` keep PostgreSQL from reading all messages of a mailbox that has just been filled.
 */
const deltaColumns = (viewer: string | null): string => `b.modseq, b.floor,
  (select string_agg(uid::text, ',' order by uid) from expunged
    where address_id = ${ADDRESS} and folder_id = ${FOLDER} and ${hiddenAfter('modseq', '$4::bigint')}) as expunged,
  (select json_agg(e) from (
    select p.uid, p.modseq, p.deleted, ${keywordsSql('m', viewer)} as keywords
    from (
      select uid, modseq, deleted, message_id from message_folder
      where address_id = ${ADDRESS} and folder_id = ${FOLDER} and ${hiddenAfter('modseq', '$3::bigint')} offset 0
    ) p cross join lateral (
      select id, keywords from message where address_id = ${ADDRESS} and id = p.message_id limit 1
    ) m
    where p.uid > $5 order by p.uid limit $6
  ) e) as entries`

const findSelectionSince = async (
  db: MailDb,
  { addressId, folderId, since }: { addressId: string; folderId: string; since: number },
): Promise<(DeltaRow & Omit<SelectionRow, 'uids'>) | undefined> => {
  const [row] = await db.query<DeltaRow & Omit<SelectionRow, 'uids'>>({
    name: 'store-find-selection-since',
    text: `select ${deltaColumns(null)}, true as "isThere", f.uid_validity as "uidValidity", f.uid_next as "uidNext",
        ${HIGHEST} as "highestModseq"
      from mailbox b join folder f on f.address_id = b.address_id where b.address_id = $1 and f.id = $2`,
    values: [addressId, folderId, since, since, 0, MAX_DELTA],
  })
  return row
}

const findDelta = async (
  db: MailDb,
  input: {
    addressId: string
    viewerId: string | null
    folderId: string
    since: number
    expungedSince: number | null
    afterUid: number
    limit: number
  },
): Promise<DeltaRow | undefined> => {
  const [row] = await db.query<DeltaRow>(
    viewerStatement(input.viewerId, {
      name: 'store-find-delta',
      text: (viewer) => `select ${deltaColumns(viewer)},
          exists (select from folder where address_id = $1 and id = $2) as "isThere"
        from mailbox b where b.address_id = $1`,
      values: [input.addressId, input.folderId, input.since, input.expungedSince, input.afterUid, input.limit],
    }),
  )
  return row
}

/**
 * The lowest UID of a message that was not read, looked for among those that were not read, or in the order of UIDs.
 * `limit 1` makes it a look-up by key: of a mailbox that has just been filled PostgreSQL would read all for each message.
 */
const findFirstUnread = async (
  db: MailDb,
  {
    addressId,
    viewerId,
    folderId,
    isRare,
  }: { addressId: string; viewerId: string | null; folderId: string; isRare: boolean },
): Promise<number | null> => {
  const [row] = await db.query<{ uid: number | null }>(
    viewerStatement(viewerId, {
      name: isRare ? 'store-find-first-unread-rare' : 'store-find-first-unread',
      text: (viewer) =>
        isRare
          ? `select min(p.uid) as uid from message m cross join lateral (
              select uid from message_folder where address_id = $1 and message_id = m.id and folder_id = $2 limit 1
            ) p where m.address_id = $1 and ${unreadMessageSql('m', viewer)}`
          : `select p.uid from message_folder p join message m on m.address_id = p.address_id and m.id = p.message_id
            where p.address_id = $1 and p.folder_id = $2 and ${unreadMessageSql('m', viewer)} order by p.uid limit 1`,
      values: [addressId, folderId],
    }),
  )
  return row?.uid ?? null
}
