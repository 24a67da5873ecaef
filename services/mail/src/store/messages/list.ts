import type { MailDb } from '../handles.ts'
import { refuse } from '../refusal.ts'
import {
  type EntryRange,
  type FolderEntry,
  findEntries,
  findListed,
  findModseqs,
  findThreads,
  findUids,
  findWhole,
  type Listed,
  type ListedMessage,
  type Modseqs,
  type WholeRow,
} from './list-queries.ts'

export type { FolderEntry, ListedMessage } from './list-queries.ts'

/** A message with what its bytes are read by. Its structure is decoded by the caller that needs it: lists have many. */
export type WholeMessage = WholeRow

const MAX_LISTED = 1_000
/** The most entries per read; IMAP's `FETCH 1:*` goes page by page. */
export const MAX_ENTRIES = 5_000

/**
 * Messages by id in the order of the ids. Those that are not there, or not visible, are left out. Here and below a viewer
 * is who looks at a mailbox that is shared with them: `$seen` is theirs.
 */
export const getMessages = async (
  db: MailDb,
  addressId: string,
  ids: readonly string[],
  viewerId: string | null = null,
): Promise<ListedMessage[]> => (await getMessagesAt(db, addressId, ids, viewerId)).messages

/** Messages with the modseq of the mailbox when they were read. */
export const getMessagesAt = async (
  db: MailDb,
  addressId: string,
  ids: readonly string[],
  viewerId: string | null = null,
): Promise<Listed> => {
  if (ids.length > MAX_ENTRIES) return refuse('too_many', `at most ${MAX_ENTRIES} messages at once`)
  const found = await findListed(db, { addressId, viewerId, ids })
  return found ?? refuseMailbox()
}

/**
 * The modseqs of messages by id, also of those that are marked \Deleted everywhere, and of the mailbox. What
 * `getMessagesAt` gave the owner of a message with that modseq is still so.
 */
export const modseqsOf = async (db: MailDb, addressId: string, ids: readonly string[]): Promise<Modseqs> => {
  if (ids.length > MAX_ENTRIES) return refuse('too_many', `at most ${MAX_ENTRIES} messages at once`)
  return (await findModseqs(db, addressId, ids)) ?? refuseMailbox()
}

const refuseMailbox = (): never => refuse('no_such_folder', 'the mailbox does not exist')

/** Messages with all that is needed to read their bytes. Invisible ones are included: IMAP reads them. */
export const getWholeMessages = async (
  db: MailDb,
  addressId: string,
  ids: readonly string[],
  viewerId: string | null = null,
): Promise<WholeMessage[]> => {
  if (ids.length > MAX_LISTED) return refuse('too_many', `at most ${MAX_LISTED} messages at once`)
  return findWhole(db, { addressId, viewerId, ids })
}

/** One of them; `no_such_message` if it is not there. */
export const getWholeMessage = async (
  db: MailDb,
  addressId: string,
  id: string,
  viewerId: string | null = null,
): Promise<WholeMessage> =>
  (await getWholeMessages(db, addressId, [id], viewerId))[0] ?? refuse('no_such_message', 'the message does not exist')

/** The UIDs of a folder in order: their places are IMAP's sequence numbers. */
export const listUids = (db: MailDb, addressId: string, folderId: string): Promise<number[]> =>
  findUids(db, addressId, folderId)

/**
 * Rows of a folder with UIDs in a range, at most a page of them; only some UIDs, or what changed since a modseq, if that
 * is given.
 */
export const listEntries = (db: MailDb, input: EntryQuery): Promise<FolderEntry[]> =>
  findEntries(db, entryRange(input, MAX_ENTRIES))

export type EntryQuery = {
  addressId: string
  viewerId?: string | null
  folderId: string
  fromUid: number
  toUid: number
  uids?: readonly number[]
  changedSince?: number
  limit?: number
}

export const entryRange = (input: EntryQuery, max: number): EntryRange => ({
  ...input,
  viewerId: input.viewerId ?? null,
  uids: input.uids ?? null,
  changedSince: input.changedSince ?? 0,
  limit: Math.min(input.limit ?? max, max),
})

/** The visible messages of threads, oldest first (RFC 8621 §3). Threads that are not there are left out. */
export const threadsOf = async (
  db: MailDb,
  addressId: string,
  threadIds: readonly string[],
): Promise<Map<string, string[]>> => {
  if (threadIds.length > MAX_ENTRIES) return refuse('too_many', `at most ${MAX_ENTRIES} threads at once`)
  const rows = await findThreads(db, addressId, threadIds)
  return new Map(rows.map(({ id, messageIds }) => [id, messageIds]))
}
