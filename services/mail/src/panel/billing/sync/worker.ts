import type { Bus } from '@stoa/kit/events/bus.ts'
import { type Claim, createQueueTable } from '@stoa/kit/queue/table.ts'
import { createQueueWorker, type Polling, type QueueWorker } from '@stoa/kit/queue/worker.ts'
import { deleteOldEvents, markStale } from './queries.ts'
import { BILLING_TOPIC, type PaidParts, syncAccount } from './sync.ts'

type CustomerRow = { attempts: number }

const customers = createQueueTable<CustomerRow>({
  table: 'billing_customer',
  id: 'account_id',
  key: 'reference',
  dueAt: 'sync_due_at',
  fence: 'sync_claims',
  columns: 'item.sync_attempts as attempts',
})

/** A reading is some ten requests, and the provider allows a hundred in a second. */
const LIMITS = { healthy: 4, failing: 1, slow: 4, perKey: 1 }
const LEASE_MS = 120_000
const POLL_MS = 30_000
const RETRY_MS = [5_000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000]
/** The longest error that is stored of the provider; it is never shown. */
const MAX_ERROR = 500

/** Reads customers again that are due. Any number of processes may run one each on the same database. */
export const startBilling = (parts: PaidParts & { bus: Bus }, polling: Polling = {}): Pick<QueueWorker, 'stop'> => {
  const worker = createBillingWorker(parts, polling)
  const leave = parts.bus.subscribe(({ topic }) => {
    if (topic === BILLING_TOPIC) worker.wake()
  }, worker.wake)
  worker.start()
  return {
    stop(graceMs) {
      leave()
      return worker.stop(graceMs)
    },
  }
}

export const createBillingWorker = (parts: PaidParts, { pollMs = POLL_MS }: Polling = {}): QueueWorker =>
  createQueueWorker({
    database: parts.database,
    table: customers,
    name: 'a billing customer',
    log: parts.log,
    now: () => parts.clock.now(),
    leaseMs: LEASE_MS,
    isExtended: true,
    pollMs,
    isTimed: true,
    limits: LIMITS,
    work: (claim, { signal }) => work(parts, claim, signal),
    upkeep: { everyMs: SWEEP_EVERY_MS, run: () => sweep(parts) },
  })

const work = async (parts: PaidParts, claim: Claim<CustomerRow>, signal: AbortSignal): Promise<void> => {
  try {
    await unlessAborted(signal, syncAccount(parts, claim.id))
  } catch (error) {
    if (signal.aborted) throw error
    const attempts = claim.row.attempts + 1
    const delay = RETRY_MS[Math.min(attempts, RETRY_MS.length) - 1] ?? 0
    const text = error instanceof Error ? error.message.slice(0, MAX_ERROR) : 'unknown'
    parts.log.warn({ err: error, accountId: claim.id, attempts }, 'a billing customer could not be read; trying again')
    await parts.database.tx((tx) =>
      customers.settle(tx, claim, {
        dueAt: new Date(parts.clock.now().getTime() + delay),
        set: { sync_attempts: attempts, sync_error: text },
      }),
    )
  }
}

/** A stop does not wait for a provider that is slow: a reading that is given up is fenced, and read again elsewhere. */
const unlessAborted = async (signal: AbortSignal, reading: Promise<void>): Promise<void> => {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = (): void => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  reading.catch(() => undefined)
  await Promise.race([reading, aborted]).finally(() => signal.removeEventListener('abort', abort))
}

const DAY_MS = 86_400_000
/** The worst that can happen to callbacks is that none comes: then everything is a day old at most. */
const STALE_MS = DAY_MS
/** Background reads are limited so that they fill neither the queue nor the provider's rate limit. */
const SWEEP_EVERY_MS = 60_000
const SWEPT_AT_ONCE = 100
/** The provider sends an event again for three days. */
const EVENTS_MS = 30 * DAY_MS
const FORGOTTEN_AT_ONCE = 1_000

/** Has a few customers read that were not read for a day, and forgets old events. */
export const sweep = async ({ database, clock }: PaidParts): Promise<{ hasMore: boolean }> => {
  const now = clock.now()
  const ago = (ms: number): Date => new Date(now.getTime() - ms)
  await database.tx((tx) => markStale(tx, { before: ago(STALE_MS), now, limit: SWEPT_AT_ONCE }))
  const forgotten = await database.tx((tx) => deleteOldEvents(tx, ago(EVENTS_MS), FORGOTTEN_AT_ONCE))
  return { hasMore: forgotten === FORGOTTEN_AT_ONCE }
}
