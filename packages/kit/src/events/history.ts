import type { Change } from '../db/database.ts'
import { firstUnseen, parseSnapshot, type Snapshot, sees, seesAllOf, snapshotText, withOwn } from './snapshot.ts'

/** A position in the service's stream of changes, valid in all of its processes. Opaque to callers. */
export type Position = string

/** When a transaction ended relative to all others: its ID, and its snapshot when it published its changes. */
export type Commit = { xid: number; snapshot: string }

export type HistoryOptions = {
  /** The maximum number of changes kept in memory. */
  limit: number
  /** False for changes that nobody will ask for again. */
  isKept(change: Change): boolean
}

/**
 * The latest changes, and which of them somebody does not know who last stood at a position. Transactions end in another
 * order than they begin: a position is therefore the set of those that were seen, and not a number.
 */
export type History = {
  /** Notifications arrive from here on: transactions that this snapshot does not see will be received. */
  begin(origin: string, snapshot: string): void
  /** Positions are unknown until it begins again. */
  end(): void
  add(change: Change, xid: number): void
  /** All changes of the transaction were received, and, as notifications come in the order of commits, of all that it saw. */
  pass(commit: Commit): void
  position(): Position | undefined
  /** The changes that were not seen at the position, in the order they were received; null when not all of them are kept. */
  since(position: Position): Change[] | null
}

/** Further apart than transactions that run at the same time can be. */
const MAX_GAP = 10_000

export const createHistory = ({ limit, isKept }: HistoryOptions): History => {
  let kept: { xid: number; change: Change }[] = []
  let origin = ''
  let start: Snapshot | null = null
  let now: Snapshot | null = null
  /** The last of the transactions of which changes were let go. */
  let forgotten = 0

  const isKnown = (seen: Snapshot): boolean => start !== null && seesAllOf(seen, start) && firstUnseen(seen) > forgotten

  return {
    begin(from, snapshot) {
      origin = from
      start = now = parseSnapshot(snapshot)
      kept = start === null ? [] : kept.filter(({ xid }) => start !== null && !sees(start, xid))
    },
    end() {
      start = now = null
    },
    add(change, xid) {
      if (!isKept(change)) return
      kept.push({ xid, change })
      const gone = kept.length > limit ? kept.shift() : undefined
      if (gone) forgotten = Math.max(forgotten, gone.xid)
    },
    pass({ xid, snapshot }) {
      const seen = parseSnapshot(snapshot)
      if (start !== null && seen !== null && xid - seen.end < MAX_GAP) now = withOwn(seen, xid)
    },
    position: () => (now === null ? undefined : `${origin}/${snapshotText(now)}`),
    since(position) {
      const [from, snapshot = ''] = position.split('/')
      const seen = from === origin ? parseSnapshot(snapshot) : null
      if (seen === null || !isKnown(seen)) return null
      return kept.filter(({ xid }) => !sees(seen, xid)).map(({ change }) => change)
    },
  }
}
