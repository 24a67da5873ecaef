import { bad } from './bad-command.ts'

/** `*`: the largest number in use. */
export const STAR = Number.POSITIVE_INFINITY

/** Both ends are included; `first <= last` except for `*`, which may be on either side. */
export type SequenceRange = { readonly first: number; readonly last: number }

/** Sequence numbers or UIDs as a client names them (RFC 9051 §9, sequence-set). */
export type SequenceSet = {
  /** `$`: the result of the last SEARCH with SAVE (RFC 9051 §6.4.4.1). */
  readonly isSaved: boolean
  readonly ranges: readonly SequenceRange[]
}

export const EMPTY_SET: SequenceSet = { isSaved: false, ranges: [] }

/** Ranges of one set: a line has 64 KiB. */
const MAX_RANGES = 20_000
const MAX_NUMBER = 2 ** 32 - 1

export const SEQUENCE_SET = /[0-9*][0-9*:,]*|\$/y

export const parseSequenceSet = (text: string): SequenceSet => {
  if (text === '$') return { isSaved: true, ranges: [] }
  const parts = text.split(',', MAX_RANGES + 1)
  if (parts.length > MAX_RANGES) bad('Too many ranges')
  return { isSaved: false, ranges: parts.map(parseRange) }
}

/** Sorted numbers as `1:3,7`. */
export const formatNumbers = (numbers: Iterable<number>): string => {
  const parts: string[] = []
  let first = -1
  let last = -1
  const close = () => {
    if (first !== -1) parts.push(first === last ? String(first) : `${first}:${last}`)
  }
  for (const number of numbers) {
    if (number === last + 1 && first !== -1) last = number
    else {
      close()
      first = number
      last = number
    }
  }
  close()
  return parts.join(',')
}

/** Sorted numbers as ranges: a set that takes little room. */
export const setOfNumbers = (numbers: Iterable<number>): SequenceSet => {
  const ranges: { first: number; last: number }[] = []
  for (const number of numbers) {
    const range = ranges.at(-1)
    if (range && range.last + 1 === number) range.last = number
    else ranges.push({ first: number, last: number })
  }
  return { isSaved: false, ranges }
}

/** Sorts and merges ranges. `*` is the largest number in use, and part of n:* whatever n is (RFC 9051 §9). */
export const mergeRanges = (ranges: readonly SequenceRange[], largest: number): SequenceRange[] => {
  const plain = ranges.map(({ first, last }) => {
    const [one, other] = [first === STAR ? largest : first, last === STAR ? largest : last]
    return { first: Math.min(one, other), last: Math.max(one, other) }
  })
  const merged: { first: number; last: number }[] = []
  for (const range of plain.sort((one, other) => one.first - other.first)) {
    const open = merged.at(-1)
    if (open && range.first <= open.last + 1) open.last = Math.max(open.last, range.last)
    else merged.push(range)
  }
  return merged
}

const parseRange = (text: string): SequenceRange => {
  const colon = text.indexOf(':')
  if (colon === -1) {
    const number = parseNumber(text)
    return { first: number, last: number }
  }
  const one = parseNumber(text.slice(0, colon))
  const other = parseNumber(text.slice(colon + 1))
  // RFC 9051 §9: 2:4 and 4:2 are the same; n:* includes the last message whatever n is.
  return one === STAR || one <= other ? { first: one, last: other } : { first: other, last: one }
}

const parseNumber = (text: string): number => {
  if (text === '*') return STAR
  const number = /^[1-9][0-9]{0,9}$/.test(text) ? Number(text) : 0
  return number > 0 && number <= MAX_NUMBER ? number : bad('Invalid message set')
}
