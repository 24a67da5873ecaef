import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database } from '../db/database.ts'
import type { Log } from '../log.ts'
import { STOP_GRACE_MS } from '../stop-deadline.ts'
import { createLanes, type LaneLimits, type Room, SLOW_AFTER_MS } from './lanes.ts'
import type { Claim, QueueTable } from './table.ts'

export type Polling = {
  /** How often due rows are looked for without being woken; each queue has a time of its own if absent. */
  pollMs?: number | undefined
}

export type QueueWorkerOptions<T, R> = Polling & {
  database: Database<T>
  table: QueueTable<R>
  /** What one piece of work is called in the log: 'a webhook delivery'. */
  name: string
  log: Log
  now: () => Date
  /**
   * Does one piece of work and settles its claim. What it throws is logged, and the row is due again when its lease
   * ends. The signal ends when the worker stops or the lease was lost: what throws then is given back at once.
   */
  work(claim: Claim<R>, options: { signal: AbortSignal }): Promise<void>
  /** How long a claim lasts. */
  leaseMs: number
  /** For work that may take longer than its lease: the lease is made longer while it runs. */
  isExtended?: boolean
  /** Looks also when the next row becomes due, so that `pollMs` can be long. */
  isTimed?: boolean
  limits?: Partial<LaneLimits>
  /** A claim that fails like this met another one, and is made again at once: for tables with rules of their own. */
  isRace?: (error: unknown) => boolean
  /** Something to be done beside now and then, such as deleting old rows: a batch at a time. */
  upkeep?: { everyMs: number; run: () => Promise<{ hasMore: boolean }> }
}

export type QueueWorker = {
  /** Begins with what was left from before. */
  start(): void
  /** Looks for due rows at once: call it when a transaction that added some has committed, here or elsewhere. */
  wake(): void
  /** Does everything that is due now, and waits for it. */
  runDue(): Promise<void>
  /** Takes nothing new, waits for what runs, and after the grace gives the rest back for another process. */
  stop(graceMs?: number): Promise<void>
}

/** Works on the rows of a queue table. Any number of processes may run one each on the same database. */
export const createQueueWorker = <T, R>(options: QueueWorkerOptions<T, R>): QueueWorker => {
  const { database, table, name, log, leaseMs, upkeep, pollMs = POLL_MS } = options
  const lanes = createLanes(options.limits)
  const running = new Set<Promise<void>>()
  const giveUp = new AbortController()
  // `wake` may be called from inside a transaction, whose async context would make our own look nested.
  const outside = AsyncLocalStorage.snapshot()
  let isStarted = false
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  /** The last time rows were looked for, by the clock of the rows. */
  let lookedAt = new Date(0)
  let upkeepAt = 0
  let looking: Promise<void> | undefined
  let lookAgain = false

  const claim = async (): Promise<LaneClaim<R>[]> => {
    for (;;) {
      try {
        return await claimOnce()
      } catch (error) {
        if (!options.isRace?.(error)) throw error
      }
    }
  }
  const claimOnce = async (): Promise<LaneClaim<R>[]> => {
    const now = options.now()
    lookedAt = now
    const leaseUntil = new Date(now.getTime() + leaseMs)
    const rooms = lanes.rooms(performance.now()).filter(({ limit }) => limit > 0)
    if (rooms.length === 0) return []
    return database.tx(async (tx) => {
      const claims: LaneClaim<R>[] = []
      for (const room of rooms) {
        const taken = await table.claim(tx, { ...room, now, leaseUntil })
        claims.push(...taken.map((claimed) => ({ ...claimed, lane: room.lane })))
      }
      return claims
    })
  }
  const run = async (claimed: LaneClaim<R>): Promise<void> => {
    const slot = lanes.enter(claimed.lane, claimed.key, performance.now())
    // Slow work makes room for the next one.
    const slow = setTimeout(onRoom, SLOW_AFTER_MS + 1)
    const lease = options.isExtended ? keepLease(options, claimed) : null
    const signal = lease ? AbortSignal.any([giveUp.signal, lease.signal]) : giveUp.signal
    try {
      await options.work(claimed, { signal })
    } catch (error) {
      if (!signal.aborted)
        return log.error({ err: error, id: claimed.id }, `${name} could not be handled; it is due again later`)
      await release(claimed)
    } finally {
      lease?.end()
      clearTimeout(slow)
      lanes.leave(slot)
    }
  }
  const release = async (claimed: Claim<R>): Promise<void> => {
    try {
      await database.tx((tx) => table.release(tx, claimed, options.now()))
    } catch (error) {
      log.warn({ err: error, id: claimed.id }, `${name} could not be given back; it is due again later`)
    }
  }
  const begin = (claimed: LaneClaim<R>): Promise<void> => {
    const work = run(claimed)
    running.add(work)
    return work.finally(() => running.delete(work))
  }
  const look = async (): Promise<void> => {
    try {
      while (lookAgain && !isStopped) {
        lookAgain = false
        for (const claimed of await claim()) void begin(claimed).then(onRoom)
        if (upkeep && performance.now() >= upkeepAt) await maintain(upkeep)
      }
    } catch (error) {
      log.warn({ err: error }, `work could not be read (${name}); trying again`)
    }
    await plan()
    looking = undefined
    if (lookAgain) wake()
  }
  const maintain = async ({ everyMs, run: runUpkeep }: NonNullable<typeof upkeep>): Promise<void> => {
    upkeepAt = performance.now() + everyMs
    // With the next look, so that work does not wait for it.
    if ((await runUpkeep()).hasMore) upkeepAt = 0
  }
  /** `runDue` works without timers: only a started worker looks by itself. */
  const plan = async (): Promise<void> => {
    if (!isStarted || isStopped) return
    // Not from now on: what has become due since the last look would be left to the poll.
    const next = options.isTimed ? await table.nextDueAt(database.db, lookedAt).catch(() => null) : null
    const wait = next === null ? pollMs : Math.min(pollMs, Math.max(1, next.getTime() - options.now().getTime()))
    clearTimeout(timer)
    if (!isStopped) timer = setTimeout(wake, wait)
  }
  const wake = (): void => {
    lookAgain = true
    if (!isStopped) looking ??= outside(look)
  }
  const onRoom = (): void => {
    if (isStarted) wake()
  }

  return {
    start() {
      isStarted = true
      wake()
    },
    wake,
    async runDue() {
      for (let claims = await claim(); claims.length > 0; claims = await claim()) await Promise.all(claims.map(begin))
    },
    async stop(graceMs = STOP_GRACE_MS) {
      isStopped = true
      clearTimeout(timer)
      const grace = setTimeout(() => giveUp.abort(new Error(`the worker of ${name} is stopping`)), graceMs)
      await looking
      await Promise.all(running)
      clearTimeout(grace)
    },
  }
}

type LaneClaim<R> = Claim<R> & { lane: Room['lane'] }

const POLL_MS = 1_000

/** Extends the lease three times within its length; the signal aborts when another worker has the row. */
const keepLease = <T, R>(
  { database, table, name, log, now, leaseMs }: QueueWorkerOptions<T, R>,
  claimed: Claim<R>,
): { signal: AbortSignal; end(): void } => {
  const lost = new AbortController()
  const extend = async () => {
    const leaseUntil = new Date(now().getTime() + leaseMs)
    try {
      if (!(await database.tx((tx) => table.extend(tx, claimed, leaseUntil))))
        lost.abort(new Error(`the lease of ${name} was lost`))
    } catch (error) {
      log.warn({ err: error, id: claimed.id }, `the lease of ${name} could not be made longer; trying again`)
    }
  }
  const timer = setInterval(() => void extend(), Math.max(1, leaseMs / 3))
  return { signal: lost.signal, end: () => clearInterval(timer) }
}
