import { type Delta, type DeltaEntry, MAX_DELTA, readDelta } from '../../store/store.ts'
import { formatFlags } from './flags.ts'
import { formatNumbers, mergeRanges, type SequenceSet } from './parse/sequence-set.ts'
import type { ImapSession } from './session.ts'
import type { FolderView } from './view.ts'

/** A client's state of a folder that it had selected before (RFC 7162 §3.2.5). */
export type Resync = {
  readonly uidValidity: number
  readonly modseq: number
  /** UIDs that it knows; null: all. */
  readonly known: SequenceSet | null
  /** Some of its sequence numbers with their UIDs. */
  readonly match: { readonly sequences: SequenceSet; readonly uids: SequenceSet } | null
}

/** Reports what vanished and changed since then: VANISHED (EARLIER) and FETCH. */
export const resync = async (
  session: ImapSession,
  view: FolderView,
  wanted: Resync,
  { uidNext }: { uidNext: number },
): Promise<void> => {
  const { modseq, known } = wanted
  const isKnown = known ? rangesContain(known, uidNext) : () => true
  const first = await readChanges(session, view, { since: modseq, expungedSince: modseq })
  if (!first) return
  const gone = first.isForgotten ? notThere(view, wanted, uidNext) : first.expunged.filter(isKnown)
  if (gone.length > 0) await session.out.untagged(`VANISHED (EARLIER) ${formatNumbers(gone)}`)
  for (let page: Delta | null = first; page; page = await nextPage(session, view, modseq, page))
    await reportChanged(
      session,
      view,
      page.entries.filter(({ uid }) => isKnown(uid)),
    )
}

const readChanges = (
  { parts }: ImapSession,
  { access, folder }: FolderView,
  since: { since: number; expungedSince: number | null; afterUid?: number },
): Promise<Delta | null> =>
  readDelta(parts.database.db, {
    addressId: access.addressId,
    viewerId: access.viewerId,
    folderId: folder.id,
    ...since,
  })

const nextPage = async (session: ImapSession, view: FolderView, since: number, { entries }: Delta) => {
  const afterUid = entries.at(-1)?.uid
  if (afterUid === undefined || entries.length < MAX_DELTA) return null
  return readChanges(session, view, { since, expungedSince: null, afterUid })
}

/** The history of expunges is gone: reports every UID the client knows that is not in the folder (RFC 7162 §3.2.5.1). */
const notThere = ({ uids }: FolderView, { known, match }: Resync, uidNext: number): number[] => {
  const from = match ? agreedUpTo(uids, match) + 1 : 1
  const gone: number[] = []
  for (const { first, last } of known ? mergeRanges(known.ranges, uidNext) : [{ first: 1, last: uidNext - 1 }])
    for (let uid = Math.max(first, from); uid <= Math.min(last, uidNext - 1); uid += 1)
      if (uids.sequenceOf(uid) === 0) gone.push(uid)
  return gone
}

/** The last UID that still has the sequence number the client knows: nothing vanished up to it. */
const agreedUpTo = (uids: FolderView['uids'], { sequences, uids: matched }: NonNullable<Resync['match']>): number => {
  const theirs = numbersIn(matched, uids.last)
  let agreed = 0
  for (const sequence of numbersIn(sequences, uids.length)) {
    const uid = theirs.next().value
    if (uid === undefined || uids.uidAt(sequence) !== uid) break
    agreed = uid
  }
  return agreed
}

function* numbersIn({ ranges }: SequenceSet, largest: number): Generator<number, undefined, undefined> {
  for (const { first, last } of mergeRanges(ranges, largest))
    for (let number = first; number <= last; number += 1) yield number
}

/** Whether a UID is in a set. */
const rangesContain = ({ ranges }: SequenceSet, largest: number): ((uid: number) => boolean) => {
  const merged = mergeRanges(ranges, largest)
  return (uid) => {
    let low = 0
    let high = merged.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((merged[middle]?.last ?? 0) < uid) low = middle + 1
      else high = middle
    }
    return (merged[low]?.first ?? Number.POSITIVE_INFINITY) <= uid
  }
}

const reportChanged = async ({ out }: ImapSession, view: FolderView, entries: readonly DeltaEntry[]): Promise<void> => {
  for (const entry of entries) {
    const sequence = view.uids.sequenceOf(entry.uid)
    if (sequence === 0) continue
    await view.announce(entry.keywords)
    const flags = formatFlags(entry, view.isRecent(entry.uid))
    await out.untagged(`${sequence} FETCH (UID ${entry.uid} FLAGS ${flags} MODSEQ (${entry.modseq}))`)
  }
}
