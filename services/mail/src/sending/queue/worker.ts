import { AsyncLocalStorage } from 'node:async_hooks'
import { claimDue, claimStalled, findDueDestinations, releaseClaims, renewLeases } from './claim-queries.ts'
import { type DeliverParts, deliver } from './deliver.ts'
import type { Claim, QueueParts, Result, Tuning } from './parts.ts'
import type { Recorder } from './recorder.ts'
import { createSlots, SLOW_AFTER_MS } from './slots.ts'
import { NO_PATH } from './verdicts.ts'

export type WorkerParts = Pick<QueueParts, 'database' | 'log' | 'clock' | 'onFirstAttempt'> & {
  tuning: Tuning
  delivery: DeliverParts
  recorder: Recorder
}

export type Worker = {
  /** Something is due for these destinations; without names, somewhere. */
  wake(domains?: readonly string[]): void
  /** Deals with what has waited long for destinations that do not answer. */
  expireStalled(): Promise<void>
  /** Takes nothing new, waits for what runs, and after the grace gives the rest back for another process. */
  stop(): Promise<void>
}

type Job = {
  claim: Claim
  /** Until when the lease surely holds, on the clock that never jumps. */
  validUntil: number
  /** Whether the message may have left: from then on only its result counts. */
  isCommitted: boolean
  abort: AbortController
}

const SCAN_STEPS = 1_000
/** Scans per look, each continuing where the last one ended: tens of thousands of destinations take some seconds. */
const MAX_SCANS = 2
/** How long a recipient can be overdue before somebody looks at why. */
const STALLED_AFTER_MS = 600_000
const STALLED_BATCH = 200
/** A domain on hold can have a long queue; each of it is looked at every half hour. */
const MAX_STALLED_BATCHES = 20
/** How long a stop waits further for answers to mail that has left. */
const ANSWER_MS = 2_000
/** The part of a lease that is kept as a margin against slow clocks and slow statements. */
const LEASE_MARGIN = 0.1

/** Delivers what is due. Any number of processes may run one each on the same database. */
export const startWorker = (parts: WorkerParts): Worker => {
  const { database, log, clock, tuning } = parts
  const slots = createSlots(tuning)
  const jobs = new Set<Job>()
  const running = new Set<Promise<void>>()
  // `wake` may be called from inside a transaction, whose async context would make our own look nested.
  const outside = AsyncLocalStorage.snapshot()
  let isStopped = false
  let mustScan = true
  let mustLook = false
  let isLooking = false
  let looking = Promise.resolve()
  let cursor = ''

  const leaseFrom = (now: Date) => new Date(now.getTime() + tuning.leaseMs)
  const validUntil = (since: number) => since + tuning.leaseMs * (1 - LEASE_MARGIN)

  const scan = async (): Promise<void> => {
    mustScan = false
    for (let round = 0; round < MAX_SCANS; round += 1) {
      const found = await findDueDestinations(database.db, { after: cursor, now: clock.now(), steps: SCAN_STEPS })
      slots.markReady(found.domains)
      cursor = found.next ?? ''
      if (found.next === null) return
    }
  }
  const claim = async (asked: ReadonlyMap<string, number>): Promise<Job[]> => {
    const since = performance.now()
    const asOf = slots.generation
    const now = clock.now()
    const claims = await database.tx(async (tx) => {
      const taken = await claimDue(tx, { slots: asked, now, leaseUntil: leaseFrom(now) })
      await recordFirstAttempts(parts, tx, taken, now)
      return taken
    })
    const given = new Map<string, number>()
    for (const { domain } of claims) given.set(domain, (given.get(domain) ?? 0) + 1)
    slots.settle(asked, given, asOf)
    return claims.map((one) => ({
      claim: one,
      validUntil: validUntil(since),
      isCommitted: false,
      abort: new AbortController(),
    }))
  }
  const look = async (): Promise<void> => {
    try {
      while (mustLook && !isStopped) {
        mustLook = false
        if (mustScan) await scan()
        for (let asked = slots.ask(); asked.size > 0 && !isStopped; asked = slots.ask())
          for (const job of await claim(asked)) begin(job)
      }
    } catch (error) {
      log.warn({ err: error }, 'due mail could not be read; trying again')
    } finally {
      isLooking = false
    }
  }
  const lookSoon = (): void => {
    mustLook = true
    if (isStopped || isLooking) return
    isLooking = true
    looking = outside(look)
  }
  const begin = (job: Job): void => {
    jobs.add(job)
    const slot = slots.enter(job.claim.domain)
    const slow = setTimeout(() => {
      slots.becomeSlow(slot)
      lookSoon()
    }, SLOW_AFTER_MS)
    const work = run(job)
      .catch((error: unknown): Result[] => {
        log.error({ err: error, queueMessageId: job.claim.messageId }, 'a delivery failed; it is due again later')
        return []
      })
      .then((results) => {
        clearTimeout(slow)
        jobs.delete(job)
        running.delete(work)
        slots.leave(slot, outcomeOf(results))
        lookSoon()
      })
    running.add(work)
  }
  const run = async (job: Job): Promise<Result[]> => {
    const mayFinish = (): boolean => {
      const isOurs = !job.abort.signal.aborted && performance.now() < job.validUntil
      if (isOurs) job.isCommitted = true
      return isOurs
    }
    const results = await deliver(parts.delivery, { claim: job.claim, mayFinish, signal: job.abort.signal })
    if (job.abort.signal.aborted && !job.isCommitted) await giveBack(job)
    else await parts.recorder.record(job.claim, results)
    return results
  }
  const giveBack = (job: Job): Promise<void> =>
    database
      .tx((tx) => releaseClaims(tx, [job.claim], clock.now()))
      .catch((error: unknown) => {
        log.warn({ err: error }, 'mail could not be given back; it is due again when its lease ends')
      })

  const renew = async (): Promise<void> => {
    const held = [...jobs]
    if (held.length === 0) return
    const since = performance.now()
    const claims = held.map((job) => job.claim)
    try {
      const ours = await database.tx((tx) => renewLeases(tx, claims, leaseFrom(clock.now())))
      for (const job of held) {
        if (ours.has(job.claim.leaseToken)) job.validUntil = validUntil(since)
        // Finished ones have no lease any more either; to them this does nothing.
        else if (jobs.has(job) && !job.isCommitted) job.abort.abort()
      }
    } catch (error) {
      log.warn({ err: error }, 'leases of mail could not be renewed')
    }
  }

  const timers = [
    setInterval(() => {
      mustScan = true
      lookSoon()
    }, tuning.pollMs),
    setInterval(() => void outside(renew), tuning.leaseMs / 3),
  ]
  lookSoon()

  return {
    wake(domains) {
      if (domains) slots.markReady(domains)
      else mustScan = true
      lookSoon()
    },
    async expireStalled() {
      for (let batch = 0; batch < MAX_STALLED_BATCHES && !isStopped; batch += 1) {
        const now = clock.now()
        const dueBefore = new Date(now.getTime() - STALLED_AFTER_MS)
        const claims = await database.tx((tx) =>
          claimStalled(tx, { now, leaseUntil: leaseFrom(now), dueBefore, limit: STALLED_BATCH }),
        )
        await Promise.all(claims.map((one) => parts.recorder.record(one, waitingResults(one))))
        if (claims.length < STALLED_BATCH) return
      }
    },
    async stop() {
      isStopped = true
      for (const timer of timers) clearInterval(timer)
      await looking
      const done = () => Promise.all(running)
      if (await endsWithin(done(), tuning.graceMs)) return
      for (const job of jobs) job.abort.abort()
      if (await endsWithin(done(), Math.min(tuning.graceMs, ANSWER_MS))) return
      parts.recorder.giveUp()
      log.warn({ messages: jobs.size }, 'stopping without the result of mail that has left; it is tried again later')
    },
  }
}

const recordFirstAttempts = async (
  { onFirstAttempt }: WorkerParts,
  tx: Parameters<NonNullable<QueueParts['onFirstAttempt']>>[0],
  claims: readonly Claim[],
  at: Date,
): Promise<void> => {
  if (!onFirstAttempt) return
  const begun = claims.flatMap(({ messageId, message, recipients, isSuspended }) =>
    recipients
      .filter(({ attempt, isSuppressed }) => attempt === 1 && !isSuppressed && !isSuspended)
      .map(({ ordinal, address }) => ({
        messageId,
        ordinal,
        recipient: address,
        accountId: message.accountId,
        addressId: message.addressId,
        source: message.source,
        at,
      })),
  )
  if (begun.length > 0) await onFirstAttempt(tx, begun)
}

/** A peer that refuses has answered, too. */
const outcomeOf = (results: readonly Result[]): 'reached' | 'failed' | 'other' => {
  if (results.some(({ verdict }) => verdict.kind === 'temporary' && verdict.isDestination)) return 'failed'
  const hasAnswered = results.some(({ verdict }) => 'code' in verdict && verdict.code !== null)
  return hasAnswered ? 'reached' : 'other'
}

const waitingResults = ({ recipients }: Claim): Result[] =>
  recipients.map((recipient) => ({ recipient, verdict: { kind: 'waiting' }, path: NO_PATH, durationMs: 0 }))

const endsWithin = async (work: Promise<unknown>, milliseconds: number): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds)
  })
  return Promise.race([work.then(() => true), late]).finally(() => clearTimeout(timer))
}
