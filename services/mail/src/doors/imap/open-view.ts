import type { MailboxAccess } from '../../hosting/shares/shares.ts'
import { type Delta, type DeltaEntry, type Folder, MAX_DELTA, readDelta } from '../../store/store.ts'
import { createAnnouncements } from './announcements.ts'
import type { Since } from './delta-cache.ts'
import { formatFlags } from './flags.ts'
import type { Selected } from './folder-cache.ts'
import { formatNumbers } from './parse/sequence-set.ts'
import { resolveSequences, resolveUids } from './resolve.ts'
import { hasCondstore, type ImapSession } from './session.ts'
import type { MutableUidList } from './uid-list.ts'
import type { FolderView, Follower } from './view.ts'

/** The selected folder no longer exists, or may not be looked at. */
export class FolderGone extends Error {
  override readonly name = 'FolderGone'
}

export type OpenedView = { readonly view: FolderView; readonly selected: Selected }

/** Reads a folder for a client; null if it is not there. */
export const openView = async (
  session: ImapSession,
  { access, folder, isReadOnly }: { access: MailboxAccess; folder: Folder; isReadOnly: boolean },
): Promise<OpenedView | null> => {
  const { database } = session.parts
  const { wakeups, recents, deltas, folders } = session.door
  const { addressId } = access
  const folderId = folder.id
  let latest = 0
  let isDoubtful = false
  // Before it is read, so that no change is missed.
  const stop = await wakeups.follow(addressId, ({ modseq }) => {
    if (modseq === null) isDoubtful = true
    else latest = Math.max(latest, modseq)
  })
  const selected = await folders.select({ addressId, folderId }).catch((error: unknown) => {
    stop()
    throw error
  })
  if (!selected) {
    stop()
    return null
  }
  const { uids, selection } = selected
  const recent: { after: number; upTo: number }[] = []
  const own = new Set<number>()
  const followers = new Set<Follower>()
  let reported = selection.modseq
  let reportedExpunged = selection.modseq

  const claim = async (): Promise<void> => {
    if (session.enabled.has('IMAP4REV2')) return
    const upTo = uids.last
    const newest = recent.at(-1)
    // RFC 3501 §6.3.2: EXAMINE makes no message lose it.
    const after = isReadOnly
      ? await recents.peek({ addressId, folderId, uid: upTo })
      : await recents.claim({ addressId, folderId, uid: upTo })
    if (after === null) return
    // Most ranges are adjacent: a session that stays open for days still has one.
    if (newest && newest.upTo >= after) newest.upTo = upTo
    else recent.push({ after, upTo })
  }
  const isRecent = (uid: number): boolean =>
    recent.some(({ after, upTo }) => uid > after && uid <= upTo) && !session.enabled.has('IMAP4REV2')

  const recentCount = (): number => (session.enabled.has('IMAP4REV2') ? 0 : countRecent(uids, recent))

  const announce = createAnnouncements(session, { isReadOnly, access })

  const reportEntries = async (entries: readonly DeltaEntry[], known: number): Promise<void> => {
    for (const entry of entries) {
      if (entry.uid > known || own.has(entry.modseq)) continue
      const sequence = uids.sequenceOf(entry.uid)
      if (sequence === 0) continue
      await announce(entry.keywords)
      await session.out.untagged(fetchText(session, sequence, entry, isRecent(entry.uid)))
    }
  }
  const take = async (delta: Delta, { mutesFlags }: { mutesFlags: boolean }): Promise<void> => {
    const known = uids.last
    const before = uids.length
    const pages = [delta.entries]
    for (let page = delta.entries; page.length === MAX_DELTA; ) {
      const afterUid = page.at(-1)?.uid ?? 0
      page = ofFolder(
        await readDelta(database.db, { ...place, since: reported, expungedSince: null, afterUid }),
      ).entries
      pages.push(page)
    }
    for (const page of pages) for (const { uid } of page) if (uid > uids.last) uids.add(uid)
    if (uids.length !== before) {
      await claim()
      await session.out.untagged(`${uids.length} EXISTS`)
      if (!session.enabled.has('IMAP4REV2')) await session.out.untagged(`${recentCount()} RECENT`)
    }
    for (const page of mutesFlags ? [] : pages) await reportEntries(page, known)
  }
  const place = { addressId, viewerId: access.viewerId, folderId }
  const leave = deltas.join(place)
  /** When it is not known what was missed, nothing that was read before is good enough. */
  const read = (since: Since, { isSure }: { isSure: boolean }): Promise<Delta> =>
    (isSure ? deltas.read(place, since, latest) : readDelta(database.db, { ...place, ...since })).then(ofFolder)
  const expel = async (expunged: readonly number[]): Promise<void> => {
    const gone = expunged.filter((uid) => uids.sequenceOf(uid) > 0)
    if (gone.length === 0) return
    for (const follower of followers) await follower.beforeExpunge(gone)
    await reportExpunged(session, uids, gone)
  }
  /** Modseqs of a mailbox follow each other: what only this session did is known without looking. */
  const passOwn = (from: number): number => {
    // Followers have to be notified of that too.
    if (followers.size > 0) return from
    let to = from
    while (own.has(to + 1)) to += 1
    return to
  }
  const isBehind = ({ mayExpunge }: { mayExpunge: boolean }): boolean => {
    reported = passOwn(reported)
    reportedExpunged = passOwn(reportedExpunged)
    return isDoubtful || !wakeups.isReliable || latest > (mayExpunge ? reportedExpunged : reported)
  }

  const view: FolderView = {
    access,
    folder,
    isReadOnly,
    uids,
    get modseq() {
      return reported
    },
    resolve(set, isUid, { isLenient = false } = {}) {
      if (set.isSaved) return resolveUids(uids, session.savedSearch.ranges)
      return isUid ? resolveUids(uids, set.ranges) : resolveSequences(uids, set.ranges, { isLenient })
    },
    isBehind,
    async sync({ mayExpunge, mutesFlags = false }) {
      const isSure = !isDoubtful && wakeups.isReliable
      isDoubtful = false
      const since = { since: reported, expungedSince: mayExpunge ? reportedExpunged : null }
      const delta = await read(since, { isSure }).catch((error) => {
        isDoubtful = true
        throw error
      })
      if (mayExpunge) await expel(delta.expunged)
      await take(delta, { mutesFlags })
      reported = delta.modseq
      if (mayExpunge) reportedExpunged = delta.modseq
      for (const modseq of own) if (modseq <= Math.min(reported, reportedExpunged)) own.delete(modseq)
      for (const follower of followers) await follower.afterSync()
    },
    noteOwn: (modseq) => void own.add(modseq),
    isRecent,
    recentCount,
    announce,
    followers,
    close() {
      stop()
      leave()
    },
  }
  await claim().catch((error: unknown) => {
    view.close()
    throw error
  })
  return { view, selected }
}

const ofFolder = (delta: Delta | null): Delta => {
  if (!delta?.isThere || delta.isForgotten) throw new FolderGone('The selected folder no longer exists')
  return delta
}

/** RFC 7162 §3.2.10: VANISHED in place of EXPUNGE once QRESYNC is enabled. */
const reportExpunged = async (session: ImapSession, uids: MutableUidList, gone: readonly number[]): Promise<void> => {
  if (session.enabled.has('QRESYNC')) await session.out.untagged(`VANISHED ${formatNumbers(gone)}`)
  // The last one first: the numbers of those before it stay as they are.
  else for (const uid of gone.toReversed()) await session.out.untagged(`${uids.sequenceOf(uid)} EXPUNGE`)
  uids.remove(gone)
}

const fetchText = (session: ImapSession, sequence: number, entry: DeltaEntry, isRecent: boolean): string => {
  const isByUid = session.enabled.has('QRESYNC') || session.enabled.has('IMAP4REV2')
  const uid = isByUid ? `UID ${entry.uid} ` : ''
  const modseq = hasCondstore(session) ? ` MODSEQ (${entry.modseq})` : ''
  return `${sequence} FETCH (${uid}FLAGS ${formatFlags(entry, isRecent)}${modseq})`
}

const countRecent = (uids: MutableUidList, recent: readonly { after: number; upTo: number }[]): number =>
  recent.reduce((count, { after, upTo }) => count + uids.countUpTo(upTo) - uids.countUpTo(after), 0)
