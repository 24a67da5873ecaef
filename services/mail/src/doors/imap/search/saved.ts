import type { ReturnOptions } from './options.ts'
import { windowOf } from './respond.ts'

/** The UIDs that `$` stands for after a search (RFC 9051 §6.4.4.1): those returned to the client. */
export const savedOf = (options: ReturnOptions, uids: readonly number[]): number[] => {
  const returnsEnds = options.min || options.max
  if (options.all || options.count || (!returnsEnds && !options.partial)) return sorted(uids)
  const window = options.partial && windowOf(options.partial, uids.length)
  return sorted([
    ...(window ? uids.slice(window.start, window.end) : []),
    ...(options.min ? uids.slice(0, 1) : []),
    ...(options.max ? uids.slice(-1) : []),
  ])
}

const sorted = (uids: readonly number[]): number[] => [...new Set(uids)].sort((a, b) => a - b)
