import {
  type AllFlags,
  type Delta,
  type FlagSet,
  listFlagsAt,
  MAX_ALL_FLAGS,
  MAX_DELTA,
  MAX_FLAG_ENTRIES,
  type MailDb,
  readAllFlags,
  readDelta,
  readSelection,
  readSelectionSince,
  type Selection,
} from '../../store/store.ts'
import { FolderFlags } from './folder-flags.ts'
import { createUidList, type MutableUidList, type UidList } from './uid-list.ts'

/** A folder as its owner sees it: others who look have marks of their own, which are not kept. */
export type OwnFolder = { readonly addressId: string; readonly folderId: string }

/** Flags of a folder, those of the messages in `uids` by their places. */
export type KnownFlags = { readonly uids: UidList; readonly flags: FolderFlags }

/**
 * UIDs and flags of folders, kept in this process. Nothing is answered from memory alone: the database is asked what happened
 * since, in one statement, and gives it along. All together take so many bytes; those that were not used longest go first.
 */
export type FolderCache = {
  /** A folder for a client that opens it; the list of UIDs is its own. Null: it is not there. */
  select(folder: OwnFolder): Promise<Selected | null>
  /** The current flags, valid until the caller awaits anything. Null: the folder is gone, or too large. */
  flags(folder: OwnFolder): Promise<KnownFlags | null>
  readonly bytes: number
}

export type Selected = {
  readonly selection: Omit<Selection, 'uids'>
  readonly uids: MutableUidList
  /** The UID of the first message that the owner has not read, null if there is none; undefined: it is not known. */
  readonly firstUnread: number | null | undefined
}

type Known = { modseq: number; uidValidity: number | null; uids: MutableUidList; flags: FolderFlags | null }

const MAX_BYTES = 64 * 2 ** 20
const ENTRY_BYTES = 500
const MAX_UNFIT = 1_000

export const createFolderCache = (db: MailDb, maxBytes = MAX_BYTES): FolderCache => {
  const folders = new Map<string, Known>()
  const sizes = new Map<string, number>()
  const loading = new Map<string, Promise<Known | null>>()
  const unfit = new Set<string>()
  let bytes = 0

  const drop = (key: string): void => {
    bytes -= sizes.get(key) ?? 0
    folders.delete(key)
    sizes.delete(key)
  }
  const keep = (key: string, known: Known): Known => {
    drop(key)
    const size = ENTRY_BYTES + known.uids.bytes + (known.flags?.bytes ?? 0)
    folders.set(key, known)
    sizes.set(key, size)
    bytes += size
    for (const oldest of folders.keys()) {
      if (bytes <= maxBytes) break
      drop(oldest)
    }
    return known
  }
  /** Another reader may have cached a newer state meanwhile. */
  const keepNewest = (key: string, made: Known): Known => {
    const other = folders.get(key)
    const isOlder = other && (other.modseq < made.modseq || (other.modseq === made.modseq && other.flags === null))
    return keep(key, other && !isOlder ? other : made)
  }
  /** Null: it has to be read anew. */
  const caughtUp = (key: string, known: Known, since: number, delta: Delta): Known | null => {
    if (delta.isThere && goesOn(since, delta) && (delta.modseq <= known.modseq || applied(known, delta)))
      return keep(key, known)
    if (folders.get(key) === known) drop(key)
    return null
  }

  const deltaOf = (folder: OwnFolder, since: number): Promise<Delta | null> =>
    readDelta(db, { ...folder, viewerId: null, since, expungedSince: since })

  /** So that nobody reads all of it for nothing; after some of these they are tried again. */
  const refuse = (key: string): null => {
    if (unfit.size === MAX_UNFIT) unfit.clear()
    unfit.add(key)
    return null
  }

  const loadPages = async (folder: OwnFolder): Promise<Known | null> => {
    const known = emptyFolder()
    for (let fromUid = 1; ; fromUid = known.uids.last + 1) {
      const query = { ...folder, fromUid, toUid: Number.MAX_SAFE_INTEGER, limit: MAX_FLAG_ENTRIES }
      const page = await listFlagsAt(db, query)
      if (!page) return null
      if (fromUid === 1) known.modseq = page.modseq
      if (!page.entries.every(({ uid, modseq, flags }) => added(known, uid, modseq, flags)))
        return refuse(folder.folderId)
      if (page.entries.length < MAX_FLAG_ENTRIES) break
    }
    return caughtUpOnce(folder, known)
  }
  const load = async (folder: OwnFolder): Promise<Known | null> => {
    const isMore = (folders.get(folder.folderId)?.uids.length ?? 0) > MAX_ALL_FLAGS
    const all = isMore ? null : await readAllFlags(db, folder)
    if (!all) return loadPages(folder)
    const known = allAdded(all)
    if (!known) return refuse(folder.folderId)
    return known.uids.length > 0 ? known : caughtUpOnce(folder, known)
  }
  /** Pages are of different moments, and nothing at all may be a folder that has gone. */
  const caughtUpOnce = async (folder: OwnFolder, known: Known): Promise<Known | null> => {
    const delta = await deltaOf(folder, known.modseq)
    return delta?.isThere && goesOn(known.modseq, delta) && applied(known, delta) ? known : null
  }

  return {
    async select(folder) {
      const key = folder.folderId
      const known = folders.get(key)
      if (known) {
        const since = known.modseq
        const found = await readSelectionSince(db, folder, since)
        if (!found) return null
        const { delta, ...selection } = found
        known.uidValidity ??= selection.uidValidity
        const isSame = known.uidValidity === selection.uidValidity
        const now = isSame ? caughtUp(key, known, since, delta) : null
        if (now) return selectedOf(now, selection)
      }
      const selection = await readSelection(db, folder)
      if (!selection) return null
      const { modseq, uidValidity } = selection
      const made = { modseq, uidValidity, uids: createUidList(selection.uids), flags: null }
      return selectedOf(keepNewest(key, made), selection)
    },
    async flags(folder) {
      const key = folder.folderId
      // A read in progress may lack what this caller must see, so it catches up after that.
      const other = loading.get(key)
      if (other) await other.catch(() => undefined)
      const known = folders.get(key)
      if (known?.flags) {
        const since = known.modseq
        const delta = await deltaOf(folder, since)
        const now = delta && caughtUp(key, known, since, delta)
        if (now?.flags) return { uids: now.uids, flags: now.flags }
      }
      if (unfit.has(key)) return null
      const reading = load(folder)
      loading.set(key, reading)
      const made = await reading.finally(() => loading.delete(key))
      const kept = made && keepNewest(key, made)
      return kept?.flags ? { uids: kept.uids, flags: kept.flags } : null
    },
    get bytes() {
      return bytes
    },
  }
}

/** Whether the delta continues the cached state without a gap; after a database restore there may be one. */
const goesOn = (since: number, delta: Delta): boolean =>
  !delta.isForgotten && delta.entries.length < MAX_DELTA && delta.modseq >= since

/** False: it does not fit. */
const applied = (known: Known, { modseq, entries, expunged }: Delta): boolean => {
  const { uids, flags } = known
  for (const entry of entries) {
    const sequence = uids.sequenceOf(entry.uid)
    if (sequence === 0 && !added(known, entry.uid, entry.modseq, entry)) return false
    if (sequence > 0 && flags && !flags.put(sequence - 1, entry.modseq, entry)) return false
  }
  const gone = expunged.filter((uid) => uids.sequenceOf(uid) > 0)
  flags?.remove(gone.map((uid) => uids.sequenceOf(uid) - 1))
  uids.remove(gone)
  known.modseq = modseq
  return true
}

const added = ({ uids, flags }: Known, uid: number, modseq: number, set: FlagSet): boolean => {
  if (uid <= uids.last || (flags && !flags.put(uids.length, modseq, set))) return false
  uids.add(uid)
  return true
}

const emptyFolder = () => ({ modseq: 0, uidValidity: null, uids: createUidList([]), flags: new FolderFlags() })

/** Null: it does not fit. */
const allAdded = ({ modseq, sets, uids, modseqs, which }: AllFlags): Known | null => {
  const known = { ...emptyFolder(), modseq }
  const places = sets.map((set) => known.flags.placeOf(set))
  if (places.includes(null)) return null
  for (let place = 0; place < uids.length; place += 1) {
    known.uids.add(uids[place] ?? 0)
    known.flags.putSet(place, modseqs[place] ?? 0, places[which[place] ?? 0] ?? 0)
  }
  return known
}

/** Other readers may have advanced the cached list: then it has more than was reported to this client. */
const selectedOf = ({ modseq, uids, flags }: Known, selection: Omit<Selection, 'uids'>): Selected => ({
  selection: {
    uidValidity: selection.uidValidity,
    highestModseq: selection.highestModseq,
    modseq,
    uidNext: Math.max(selection.uidNext, uids.last + 1),
  },
  uids: uids.copy(),
  firstUnread: flags ? firstUnreadOf({ uids, flags }) : undefined,
})

const firstUnreadOf = ({ uids, flags }: KnownFlags): number | null => {
  const isUnread = flags.sets.map(({ keywords }) => !keywords.includes('$seen') && !keywords.includes('$draft'))
  for (let place = 0; place < flags.length; place += 1)
    if (isUnread[flags.setAt(place)] === true) return uids.uidAt(place + 1)
  return null
}
