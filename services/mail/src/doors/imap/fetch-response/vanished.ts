import { expungedSince, type MailDb, StoreRefusal } from '../../../store/store.ts'
import { formatNumbers, type SequenceRange, type SequenceSet, STAR } from '../parse/sequence-set.ts'
import type { UidList } from '../uid-list.ts'
import type { FolderView } from '../view.ts'

/** Which of these UIDs were expunged after a modseq, as a set; empty if none (RFC 7162 §3.2.6). */
export const vanishedSince = async (
  db: MailDb,
  { access, folder, uids }: FolderView,
  { set, since }: { set: SequenceSet; since: number },
): Promise<string> => {
  const ranges = set.ranges.map((range) => bounds(range, uids.last))
  try {
    const gone = await expungedSince(db, { addressId: access.addressId, folderId: folder.id, since })
    return formatNumbers(gone.uids.filter((uid) => ranges.some(({ first, last }) => uid >= first && uid <= last)))
  } catch (error) {
    if (!(error instanceof StoreRefusal) || error.kind !== 'state_mismatch') throw error
    // The history of expunges is gone: every UID that is not in the folder may be news to the client.
    return formatRanges(gaps(uids, joined(ranges)))
  }
}

/** `n:*` holds everything from n on, and the last message whatever n is. */
const bounds = ({ first, last }: SequenceRange, largest: number): SequenceRange => {
  if (first !== STAR && last !== STAR) return { first, last }
  const from = first === STAR ? last : first
  return { first: Math.min(from === STAR ? largest : from, largest), last: STAR }
}

const joined = (ranges: readonly SequenceRange[]): SequenceRange[] => {
  const all: { first: number; last: number }[] = []
  for (const { first, last } of ranges.toSorted((one, other) => one.first - other.first)) {
    const open = all.at(-1)
    if (open && first <= open.last + 1) open.last = Math.max(open.last, last)
    else all.push({ first, last })
  }
  return all
}

/** The parts of the ranges that are not in the list, up to its last UID. */
const gaps = (uids: UidList, ranges: readonly SequenceRange[]): SequenceRange[] => {
  const found: SequenceRange[] = []
  for (const { first, last } of ranges) {
    const end = Math.min(last, uids.last)
    let from = first
    for (const uid of uids.between(first, end)) {
      if (uid > from) found.push({ first: from, last: uid - 1 })
      from = uid + 1
    }
    if (from <= end) found.push({ first: from, last: end })
  }
  return found
}

const formatRanges = (ranges: readonly SequenceRange[]): string =>
  ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}:${last}`)).join(',')
