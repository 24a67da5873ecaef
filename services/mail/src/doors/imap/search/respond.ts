import { formatNumbers } from '../parse/sequence-set.ts'
import type { Partial, ReturnOptions } from './options.ts'

/** What was found, in order, as numbers of the command's kind: UIDs or sequence numbers. */
export type Found = {
  readonly numbers: readonly number[]
  /** The modseqs of the results; null if not requested. */
  readonly modseqs: readonly number[] | null
}

/** `ESEARCH (TAG "a") UID COUNT 2 ALL 1:2` (RFC 9051 §7.3.4). Sorted results keep their order (RFC 5267 §3). */
export const formatEsearch = (
  { tag, isUid, options }: { tag: string; isUid: boolean; options: ReturnOptions },
  found: Found,
): string => {
  const { numbers } = found
  const [first, last] = [numbers[0], numbers.at(-1)]
  const parts = [`ESEARCH (TAG "${tag}")`]
  if (isUid) parts.push('UID')
  if (options.min && first !== undefined) parts.push(`MIN ${first}`)
  if (options.max && last !== undefined) parts.push(`MAX ${last}`)
  if (options.count) parts.push(`COUNT ${numbers.length}`)
  if (options.all && numbers.length > 0) parts.push(`ALL ${formatNumbers(numbers)}`)
  if (options.partial) parts.push(`PARTIAL ${formatPartial(options.partial, numbers)}`)
  const modseq = modseqOf(options, found)
  if (modseq !== null) parts.push(`MODSEQ ${modseq}`)
  return parts.join(' ')
}

/** `SEARCH 1 2 (MODSEQ 3)` (RFC 3501 §7.2.5, RFC 7162 §3.1.5). */
export const formatSearch = (name: 'SEARCH' | 'SORT', { numbers, modseqs }: Found): string => {
  const list = [name, ...numbers].join(' ')
  const modseq = highest(modseqs)
  return modseq === null || numbers.length === 0 ? list : `${list} (MODSEQ ${modseq})`
}

/** Where a window of the results begins and ends, as indexes. */
export const windowOf = ({ first, last }: Partial, count: number): { start: number; end: number } =>
  first > 0
    ? { start: Math.min(first - 1, count), end: Math.min(last, count) }
    : { start: Math.max(0, count + last), end: Math.max(0, count + first + 1) }

const formatPartial = (partial: Partial, numbers: readonly number[]): string => {
  const { start, end } = windowOf(partial, numbers.length)
  const shown = formatNumbers(numbers.slice(start, end))
  return `(${partial.first}:${partial.last} ${shown === '' ? 'NIL' : shown})`
}

/** RFC 4731 §3.2: of what is returned, if that is not everything. */
const modseqOf = (options: ReturnOptions, { modseqs }: Found): number | null => {
  if (!modseqs || modseqs.length === 0) return null
  if (options.all || options.count) return highest(modseqs)
  if (options.partial) {
    const { start, end } = windowOf(options.partial, modseqs.length)
    return highest(modseqs.slice(start, end))
  }
  const returned = [...(options.min ? modseqs.slice(0, 1) : []), ...(options.max ? modseqs.slice(-1) : [])]
  return highest(returned)
}

const highest = (modseqs: readonly number[] | null): number | null => {
  if (!modseqs || modseqs.length === 0) return null
  return modseqs.reduce((max, each) => Math.max(max, each), 0)
}
