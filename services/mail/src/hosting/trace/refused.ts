import type { Clock } from '@stoa/kit/clock.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import type { Log } from '@stoa/kit/log.ts'
import type { Tables } from '../../tables.ts'
import { addToRefused, countRefused, insertRefused, lockRefused, type RefusedLine } from './queries.ts'

/** A recipient that nobody is, at a domain that is ours. */
export type Refusal = {
  readonly accountId: string
  readonly domainId: string
  /** Empty for the null sender. */
  readonly sender: string
  readonly recipient: string
  readonly remoteIp: string
}

export type RefusedRecipients = {
  /** The first of a kind in a minute is written at once; it never fails. */
  record(refusal: Refusal): Promise<void>
  /** Writes what was counted since. */
  flush(): Promise<void>
}

/** A sender who guesses names tries thousands in a minute; further ones are counted in one line. */
export const LINES_PER_MINUTE = 30
/** Lines in memory, over all domains; further ones are counted together. */
const MAX_KNOWN = 10_000
const MINUTE_MS = 60_000
const FLUSH_MS = 5_000
/** For this long a line is tried again while the database is away. */
const PATIENCE_MS = 5 * MINUTE_MS

type Counted = { readonly refusal: Refusal; unwritten: number }
type Minute = {
  readonly accountId: string
  readonly domainId: string
  readonly start: number
  readonly known: Map<string, Counted>
  /** More than are recorded separately, and not yet written. */
  others: number
}

/**
 * Counts recipients that were refused. Whatever a sender tries, a process writes a new line at once and adds to those
 * that there are every few seconds, one statement at a time. A crash loses what was counted since.
 */
export const createRefusedRecipients = (
  { database, clock, log }: { database: Pick<Database<Tables>, 'tx'>; clock: Clock; log: Log },
  flushMs = FLUSH_MS,
): RefusedRecipients => {
  const minutes = new Map<string, Minute>()
  let known = 0
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> = Promise.resolve()

  const minuteOf = ({ accountId, domainId }: Refusal): Minute => {
    const start = Math.floor(clock.now().getTime() / MINUTE_MS) * MINUTE_MS
    const name = `${domainId} ${start}`
    const found = minutes.get(name) ?? { accountId, domainId, start, known: new Map<string, Counted>(), others: 0 }
    minutes.set(name, found)
    return found
  }
  /** False when the database is away: what was counted is kept for the next time. */
  const write = async (minute: Minute): Promise<boolean> => {
    const unwritten = takeUnwritten(minute)
    if (unwritten.lines.length === 0) return true
    try {
      await database.tx((tx) => writeLines(tx, minute, { lines: unwritten.lines, now: clock.now() }))
      return true
    } catch (error) {
      // The sender gets the rejection anyway
      log.error({ err: error, domainId: minute.domainId }, 'refused recipients could not be written to the trace')
      unwritten.giveBack()
      return false
    }
  }
  const flushAll = async (): Promise<void> => {
    const now = clock.now().getTime()
    for (const [name, minute] of [...minutes]) {
      const isWritten = await write(minute)
      if (minute.start + (isWritten ? MINUTE_MS : PATIENCE_MS) <= now) {
        minutes.delete(name)
        known -= minute.known.size
      }
      if (!isWritten) break
    }
    if (minutes.size > 0) arm()
  }
  const flush = (): Promise<void> => {
    if (timer) clearTimeout(timer)
    timer = null
    writing = writing.then(flushAll)
    return writing
  }
  const arm = (): void => {
    timer ??= setTimeout(() => void flush(), flushMs).unref()
  }

  return {
    async record(refusal) {
      const minute = minuteOf(refusal)
      arm()
      const key = `${refusal.remoteIp} ${refusal.sender} ${refusal.recipient}`
      const counted = minute.known.get(key)
      if (counted) counted.unwritten += 1
      else if (minute.known.size >= LINES_PER_MINUTE || known >= MAX_KNOWN) minute.others += 1
      else {
        known += 1
        minute.known.set(key, { refusal, unwritten: 1 })
        await flush()
      }
    },
    flush,
  }
}

const lineOf = ({ sender, recipient, remoteIp }: Refusal, count: number): RefusedLine => ({
  sender,
  recipient,
  remoteIp,
  count,
})

const others = (count: number): RefusedLine => ({ sender: null, recipient: null, remoteIp: null, count })

const takeUnwritten = (minute: Minute): { lines: RefusedLine[]; giveBack(): void } => {
  const more = minute.others
  const taken = [...minute.known.values()].flatMap((counted) => {
    const count = counted.unwritten
    counted.unwritten = 0
    return count > 0 ? [{ counted, count }] : []
  })
  minute.others = 0
  return {
    lines: [
      ...taken.map(({ counted: { refusal }, count }) => lineOf(refusal, count)),
      ...(more > 0 ? [others(more)] : []),
    ],
    giveBack() {
      minute.others += more
      for (const { counted, count } of taken) counted.unwritten += count
    },
  }
}

/** Lines that there are grow; new ones are written while the minute has room for them. */
const writeLines = async (
  tx: Parameters<typeof lockRefused>[0],
  { accountId, domainId, start }: Minute,
  { lines, now }: { lines: readonly RefusedLine[]; now: Date },
): Promise<void> => {
  const until = new Date(start + MINUTE_MS)
  const minute = { accountId, domainId, from: new Date(start), until }
  await lockRefused(tx, domainId)
  const grown = await addToRefused(tx, minute, lines)
  const fresh = lines.filter((_line, nth) => !grown.has(nth))
  if (fresh.length === 0) return
  const at = now < until ? now : minute.from
  const named = fresh.filter(({ recipient }) => recipient !== null)
  const room = named.length > 0 ? Math.max(0, LINES_PER_MINUTE - (await countRefused(tx, minute))) : 0
  const listed = named.slice(0, room)
  const rest = [...named.slice(room), ...fresh.filter(({ recipient }) => recipient === null)]
  if (listed.length > 0) await insertRefused(tx, { accountId, domainId, at }, listed)
  if (rest.length === 0) return
  const more = others(rest.reduce((sum, { count }) => sum + count, 0))
  if ((await addToRefused(tx, minute, [more])).size === 0) await insertRefused(tx, { accountId, domainId, at }, [more])
}
