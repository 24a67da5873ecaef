import { bad } from './parse/bad-command.ts'
import { mergeRanges, type SequenceRange, STAR } from './parse/sequence-set.ts'
import type { UidList } from './uid-list.ts'

/** The UIDs in the list that a set of UIDs names, sorted. */
export const resolveUids = (uids: UidList, ranges: readonly SequenceRange[]): number[] =>
  joined(mergeRanges(ranges, uids.last), ({ first, last }) => uids.between(first, last))

/** The UIDs of messages that a set of sequence numbers names, sorted. */
export const resolveSequences = (
  uids: UidList,
  ranges: readonly SequenceRange[],
  { isLenient }: { isLenient: boolean },
): number[] => {
  const { length } = uids
  const isBeyond = ({ first, last }: SequenceRange) => last > length && last !== STAR && first !== STAR
  if (!isLenient && ranges.some(isBeyond)) bad('Message number out of range')
  return joined(mergeRanges(ranges, length), ({ first, last }) =>
    first > length ? [] : uids.between(uids.uidAt(Math.max(first, 1)), uids.uidAt(Math.min(last, length))),
  )
}

const joined = (ranges: readonly SequenceRange[], read: (range: SequenceRange) => number[]): number[] => {
  const [only] = ranges
  return only && ranges.length === 1 ? read(only) : ranges.flatMap(read)
}
