import type { MailDb } from '../handles.ts'
import { findDelta, findFirstUnread, findSelection } from './selection-queries.ts'

/** A folder as IMAP opens it; all at one moment. */
export type Selection = {
  /** Of the mailbox: changes from here on are not part of this. */
  modseq: number
  /** Of the folder (RFC 7162 §3.1.2.1). */
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

export type DeltaEntry = { uid: number; modseq: number; deleted: boolean; keywords: string[] }

export type Delta = {
  modseq: number
  isThere: boolean
  /** What was expunged is not known any more. */
  isForgotten: boolean
  expunged: number[]
  /** New and changed messages by UID, at most `MAX_DELTA`. */
  entries: DeltaEntry[]
}

export const MAX_DELTA = 5_000

/** What happened in a folder; more entries than `MAX_DELTA` are read with another `afterUid`. Null: there is no mailbox. */
export const readDelta = async (
  db: MailDb,
  query: {
    addressId: string
    viewerId: string | null
    folderId: string
    /** Entries that changed after this. */
    since: number
    /** What was expunged after this; null: it is not asked. */
    expungedSince: number | null
    afterUid?: number
  },
): Promise<Delta | null> => {
  const row = await findDelta(db, { ...query, afterUid: query.afterUid ?? 0, limit: MAX_DELTA })
  if (!row) return null
  return {
    modseq: row.modseq,
    isThere: row.isThere,
    isForgotten: query.expungedSince !== null && query.expungedSince < row.floor,
    expunged: numbersOf(row.expunged),
    entries: row.entries ?? [],
  }
}

/** So many are found one by one sooner than the folder is searched. */
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
