/** Which transactions are seen: those below `end` that are not among `open`. As `pg_current_snapshot()` has it. */
export type Snapshot = { readonly end: number; readonly open: ReadonlySet<number> }

const SNAPSHOT = /^\d{1,15}:(\d{1,15}):(\d{1,15}(?:,\d{1,15})*)?$/

/** Null for anything else: positions come back from clients. */
export const parseSnapshot = (text: string): Snapshot | null => {
  const [, end, open = ''] = SNAPSHOT.exec(text) ?? []
  if (end === undefined) return null
  return { end: Number(end), open: new Set(open === '' ? [] : open.split(',').map(Number)) }
}

export const snapshotText = ({ end, open }: Snapshot): string => {
  const sorted = [...open].sort((a, b) => a - b)
  return `${sorted[0] ?? end}:${end}:${sorted.join(',')}`
}

export const sees = ({ end, open }: Snapshot, xid: number): boolean => xid < end && !open.has(xid)

/** Whether everything that `other` sees is seen. */
export const seesAllOf = ({ end, open }: Snapshot, other: Snapshot): boolean => {
  if (end < other.end) return false
  for (const xid of open) if (sees(other, xid)) return false
  return true
}

/** The snapshot that a transaction took before it ended, and the transaction: all that had begun and not ended is open. */
export const withOwn = ({ end, open }: Snapshot, xid: number): Snapshot => {
  if (xid < end) return { end, open: new Set([...open].filter((other) => other !== xid)) }
  const begun = Array.from({ length: xid - end }, (_, index) => end + index)
  return { end: xid + 1, open: new Set([...open, ...begun]) }
}

/** The first transaction that is not seen. */
export const firstUnseen = ({ end, open }: Snapshot): number => Math.min(end, ...open)
