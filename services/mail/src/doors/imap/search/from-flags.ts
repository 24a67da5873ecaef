import { type Condition, type Filter, isOperator } from '../../../store/store.ts'
import type { KnownFlags } from '../folder-cache.ts'

type Ranges = readonly { readonly first: number; readonly last: number }[]
/** Whether a message fits, by its place in the folder, its UID and the place of its flags. */
type Test = (place: number, uid: number, set: number) => boolean

const ROW_MEMBERS: ReadonlySet<string> = new Set(['deleted', 'uids', 'minModseq'])
const MEMBERS: ReadonlySet<string> = new Set(['hasKeyword', 'notKeyword', 'row'])

/** Whether flags, UIDs and modseqs alone decide what matches. */
export const isOfFlags = (filter: Filter): boolean =>
  isOperator(filter)
    ? filter.conditions.every(isOfFlags)
    : Object.keys(filter).every((member) => MEMBERS.has(member)) &&
      Object.keys(filter.row ?? {}).every((member) => ROW_MEMBERS.has(member))

/** UIDs and modseqs of messages that fit such a filter, in order. */
export const findByFlags = (known: KnownFlags, filter: Filter): { uids: number[]; modseqs: number[] } => {
  const { uids, flags } = known
  const fits = testOf(filter, known)
  const found: { uids: number[]; modseqs: number[] } = { uids: [], modseqs: [] }
  let place = 0
  for (const uid of uids.values()) {
    if (fits(place, uid, flags.setAt(place))) {
      found.uids.push(uid)
      found.modseqs.push(flags.modseqAt(place))
    }
    place += 1
  }
  return found
}

const testOf = (filter: Filter, known: KnownFlags): Test => {
  if (!isOperator(filter)) return conditionTest(filter, known)
  const inner = filter.conditions.map((each) => testOf(each, known))
  if (filter.operator === 'and') return (...message) => inner.every((fits) => fits(...message))
  const isAny: Test = (...message) => inner.some((fits) => fits(...message))
  return filter.operator === 'or' ? isAny : (...message) => !isAny(...message)
}

const conditionTest = ({ hasKeyword, notKeyword, row = {} }: Condition, { flags }: KnownFlags): Test => {
  const having = (keyword: string): boolean[] =>
    flags.sets.map(({ keywords }) => keywords.includes(keyword.toLowerCase()))
  const tests: Test[] = []
  if (hasKeyword !== undefined) {
    const has = having(hasKeyword)
    tests.push((_place, _uid, set) => has[set] === true)
  }
  if (notKeyword !== undefined) {
    const has = having(notKeyword)
    tests.push((_place, _uid, set) => has[set] === false)
  }
  const { deleted, uids, minModseq } = row
  if (deleted !== undefined) tests.push((_place, _uid, set) => flags.sets[set]?.deleted === deleted)
  if (uids !== undefined) tests.push((_place, uid) => isIn(uids, uid))
  if (minModseq !== undefined) tests.push((place) => flags.modseqAt(place) >= minModseq)
  const [only] = tests
  return only && tests.length === 1 ? only : (...message) => tests.every((fits) => fits(...message))
}

/** Ranges are sorted, and do not meet. */
const isIn = (ranges: Ranges, uid: number): boolean => {
  let low = 0
  let high = ranges.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ranges[middle]?.last ?? 0) < uid) low = middle + 1
    else high = middle
  }
  return (ranges[low]?.first ?? Number.POSITIVE_INFINITY) <= uid
}
