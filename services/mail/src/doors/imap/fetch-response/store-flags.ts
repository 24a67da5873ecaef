import {
  changeKeywords,
  type FolderEntry,
  listEntries,
  type MailTx,
  openMailbox,
  setDeleted,
} from '../../../store/store.ts'
import { formatFlags, type StoredFlags } from '../flags.ts'
import { hasCondstore, type ImapSession } from '../session.ts'
import type { FolderView } from '../view.ts'

/** What a STORE does to flags. */
export type FlagChange = {
  readonly mode: 'add' | 'remove' | 'replace'
  readonly isSilent: boolean
  readonly flags: StoredFlags
}

export type StoreRequest = {
  /** Sorted. */
  readonly uids: readonly number[]
  readonly unchangedSince: number | null
  readonly change: FlagChange
  readonly isUid: boolean
}

/** `modified`: left alone because they changed after `unchangedSince`. */
export type StoreResult = { modified: number[]; missing: number }

/** The mailbox is locked meanwhile; half a second for others to wait. */
const BATCH = 1_000

/** Changes flags of messages of the selected folder, some at a time, and reports the new ones. */
export const storeFlags = async (
  session: ImapSession,
  view: FolderView,
  { uids, unchangedSince, change, isUid }: StoreRequest,
): Promise<StoreResult> => {
  const result: StoreResult = { modified: [], missing: 0 }
  for (let at = 0; at < uids.length; at += BATCH) {
    const some = uids.slice(at, at + BATCH)
    const batch = { view, uids: some, unchangedSince, change, now: session.parts.clock.now() }
    const done = await session.door.write(view.access.addressId, (tx) => storeBatch(tx, batch))
    view.noteOwn(done.modseq)
    result.modified.push(...done.modified)
    result.missing += some.length - done.entries.length - done.modified.length
    for (const entry of done.entries) await reportStored(session, view, entry, { change, isUid })
  }
  return result
}

type Batch = Omit<StoreRequest, 'isUid'> & { view: FolderView; now: Date }
/** `before`: the modseq that it had. */
type StoredEntry = Pick<FolderEntry, 'uid' | 'keywords' | 'deleted' | 'modseq'> & { before: number }
type Stored = { modseq: number; entries: StoredEntry[]; modified: number[] }

const storeBatch = async (tx: MailTx, { view, uids, unchangedSince, change, now }: Batch): Promise<Stored> => {
  const { addressId, viewerId } = view.access
  const folderId = view.folder.id
  // `openMailbox` locks the mailbox, so that entries read after it stay the same until the commit.
  const range = { fromUid: uids[0] ?? 0, toUid: uids.at(-1) ?? 0, uids }
  const [{ modseq }, found] = await Promise.all([
    openMailbox(tx, addressId),
    listEntries(tx, { addressId, viewerId, folderId, ...range }),
  ])
  const isOld = (entry: FolderEntry) => unchangedSince === null || entry.modseq <= unchangedSince
  const entries = found.filter(isOld)
  const modified = found.filter((entry) => !isOld(entry)).map(({ uid }) => uid)
  const messageIds = entries.map(({ messageId }) => messageId)
  const keywords = await changeKeywordsOf(tx, { addressId, viewerId, messageIds }, change)
  const deleted = deletedOf(change)
  const marked = deleted === null ? [] : entries.filter((entry) => entry.deleted !== deleted).map(({ uid }) => uid)
  if (deleted !== null && marked.length > 0) await setDeleted(tx, { addressId, folderId, uids: marked, deleted, now })
  const changed = new Set(marked)
  return {
    modseq,
    modified,
    entries: entries.map((entry) => {
      const updated = keywords.get(entry.messageId)
      const isChanged = updated !== undefined || changed.has(entry.uid)
      return {
        uid: entry.uid,
        keywords: updated ?? entry.keywords,
        deleted: deleted ?? entry.deleted,
        modseq: isChanged ? modseq : entry.modseq,
        before: entry.modseq,
      }
    }),
  }
}

type Messages = { addressId: string; viewerId: string | null; messageIds: readonly string[] }

/** The messages whose keywords are others now, with these. */
const changeKeywordsOf = async (
  tx: MailTx,
  messages: Messages,
  { mode, flags }: FlagChange,
): Promise<Map<string, string[]>> => {
  if (messages.messageIds.length === 0 || (mode !== 'replace' && flags.keywords.length === 0)) return new Map()
  return (await changeKeywords(tx, { ...messages, [mode]: flags.keywords })).updated
}

/** Whether \Deleted shall be set; null to leave it. */
const deletedOf = ({ mode, flags }: FlagChange): boolean | null => {
  if (mode === 'replace') return flags.deleted
  return flags.deleted ? mode === 'add' : null
}

/** RFC 7162 §3.1.3: with .SILENT a client still gets the new modification sequence, and what others changed meanwhile. */
const reportStored = async (
  session: ImapSession,
  view: FolderView,
  entry: StoredEntry,
  { change, isUid }: { change: FlagChange; isUid: boolean },
): Promise<void> => {
  const isChanged = entry.modseq !== entry.before
  const isNews = !change.isSilent || (isChanged && entry.before > view.modseq)
  const items = [
    ...(isUid || session.enabled.has('QRESYNC') ? [`UID ${entry.uid}`] : []),
    ...(isNews ? [`FLAGS ${formatFlags(entry, view.isRecent(entry.uid))}`] : []),
    ...(hasCondstore(session) && (isNews || isChanged) ? [`MODSEQ (${entry.modseq})`] : []),
  ]
  if (isNews) await view.announce(entry.keywords)
  const hasNews = isNews || (hasCondstore(session) && isChanged)
  if (hasNews) await session.out.untagged(`${view.uids.sequenceOf(entry.uid)} FETCH (${items.join(' ')})`)
}
