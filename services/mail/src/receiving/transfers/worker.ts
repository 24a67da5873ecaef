import { AsyncLocalStorage } from 'node:async_hooks'
import { announceTransfer, TRANSFER_TOPIC } from './changes.ts'
import {
  type ClaimedTransfer,
  cancelOrphans,
  claimTransfers,
  findAttempts,
  hasOrphans,
  releaseTransfer,
  renewTransfers,
} from './claim-queries.ts'
import { failTransfer } from './ending.ts'
import { lastText, problemOf, TransferLost, TransferProblem, UNEXPECTED, waitingText } from './problems.ts'
import { runTransfer, type TransferParts, type TransferTuning } from './run.ts'
import { createTransferEgress } from './source.ts'

export type TransferWorker = {
  /** Looks for due transfers at once. */
  wake(): void
  /** Resolves when nothing is under way and nothing is due: for tests. */
  settled(): Promise<void>
  /** Takes nothing new and gives what runs back, so that another process goes on with it at once. */
  stop(): Promise<void>
}

/** Transfers of one process at once: each holds a connection and some messages in memory. */
const MAX_RUNNING = 8
const TUNING: TransferTuning = {
  // A killed process is noticed after this; a living one renews three times in it.
  leaseMs: 15_000,
  sweepMs: 5_000,
  pace: { messagesPerSecond: 500, bytesPerSecond: 20 * 2 ** 20 },
  trustedCa: [],
}
/** A source that was never reached is probably written wrong: its owner waits for the answer. */
const FIRST_DELAYS_MS = [2_000, 10_000]
const LATER_DELAYS_MS = [5_000, 30_000, 120_000, 600_000, 1_800_000]
/** Without getting anywhere: whatever it is, it takes the whole process down each time. */
const MAX_ATTEMPTS = 10

type Running = { claim: ClaimedTransfer; abort: AbortController; done: Promise<void> }

/** Copies mailboxes from other servers. Any number of processes may run one each on the same database. */
export const startTransfers = (parts: TransferParts, tuned: Partial<TransferTuning> = {}): TransferWorker => {
  const { database, bus, clock, log } = parts
  const tuning = { ...TUNING, ...tuned }
  const egress = createTransferEgress(parts.config)
  // Keyed by lease: a transfer whose lease was lost may be claimed again while its old run still works.
  const running = new Map<string, Running>()
  // Listeners are called inside the caller's work, whose transaction is not ours.
  const outside = AsyncLocalStorage.snapshot()
  let isStopped = false
  let mustLook = false
  let looking: Promise<void> | null = null

  const leaseEnd = (): Date => new Date(clock.now().getTime() + tuning.leaseMs)
  const look = async (): Promise<void> => {
    while (mustLook && !isStopped) {
      mustLook = false
      if (await hasOrphans(database.db)) await database.tx((tx) => cancelOrphans(tx, clock.now()))
      const limit = MAX_RUNNING - running.size
      if (limit === 0) return
      const claims = await database.tx((tx) => claimTransfers(tx, { now: clock.now(), leaseUntil: leaseEnd(), limit }))
      for (const claim of claims) begin(claim)
    }
  }
  const wake = (): void => {
    mustLook = true
    if (isStopped || looking) return
    looking = outside(look)
      .catch((error: unknown) => log.warn({ err: error }, 'transfers cannot be looked for'))
      .finally(() => {
        looking = null
        if (mustLook && running.size < MAX_RUNNING) wake()
      })
  }
  const begin = (claim: ClaimedTransfer): void => {
    const abort = new AbortController()
    const done = work(claim, abort.signal)
      .catch((error: unknown) => log.error({ err: error, transferId: claim.id }, 'a transfer could not be put off'))
      .finally(() => {
        running.delete(claim.leaseToken)
        wake()
      })
    running.set(claim.leaseToken, { claim, abort, done })
  }
  const work = async (claim: ClaimedTransfer, signal: AbortSignal): Promise<void> => {
    try {
      if (claim.attempts > MAX_ATTEMPTS) throw new TransferProblem(lastText(UNEXPECTED))
      await runTransfer(parts, claim, { egress, tuning, signal })
    } catch (error) {
      if (signal.aborted || error instanceof TransferLost) return
      await putOff(claim, error)
    }
  }
  const putOff = async (claim: ClaimedTransfer, error: unknown): Promise<void> => {
    const problem = problemOf(error)
    if (problem) log.info({ transferId: claim.id, problem: problem.message }, 'a transfer was interrupted')
    else log.error({ err: error, transferId: claim.id }, 'a transfer failed')
    const message = problem?.message ?? UNEXPECTED
    const isFinal = problem !== null && !problem.isTemporary
    const delay = isFinal ? undefined : await delayOf(claim)
    await database.tx(async (tx) => {
      if (delay === undefined) return failTransfer(parts, tx, claim, isFinal ? message : lastText(message))
      const nextAt = new Date(clock.now().getTime() + delay)
      if (await releaseTransfer(tx, claim, { nextAt, error: waitingText(message) }))
        announceTransfer(tx, 'updated', claim)
    })
  }
  /** Undefined: it was tried often enough. */
  const delayOf = async (claim: ClaimedTransfer): Promise<number | undefined> => {
    const { attempts, isPlanned } = (await findAttempts(database.db, claim)) ?? {
      attempts: LATER_DELAYS_MS.length + 1,
      isPlanned: true,
    }
    return (isPlanned ? LATER_DELAYS_MS : FIRST_DELAYS_MS)[Math.max(0, attempts - 1)]
  }
  const renew = async (): Promise<void> => {
    const tokens = [...running.values()].map(({ claim }) => claim.leaseToken)
    if (tokens.length === 0) return
    const held = await database.tx((tx) => renewTransfers(tx, tokens, leaseEnd()))
    for (const { claim, abort } of running.values())
      if (tokens.includes(claim.leaseToken) && !held.has(claim.leaseToken)) abort.abort(new TransferLost())
  }

  const giveBack = (claims: readonly ClaimedTransfer[]): Promise<void> =>
    database.tx(async (tx) => {
      for (const claim of claims) await releaseTransfer(tx, claim, { nextAt: clock.now(), isUntried: true })
    })

  const leave = bus.subscribe(
    ({ topic, event, data }) => {
      if (topic === TRANSFER_TOPIC && event === 'queued') wake()
      else if (topic === 'address' && event === 'deleted') wake()
      if (topic !== TRANSFER_TOPIC || event !== 'cancelled') return
      for (const { claim, abort } of running.values()) if (claim.id === data.transferId) abort.abort(new TransferLost())
    },
    async () => {
      wake()
      // A canceled transfer loses its lease.
      await renew()
    },
  )
  const sweep = setInterval(wake, tuning.sweepMs)
  const heartbeat = setInterval(() => {
    renew().catch((error: unknown) => log.warn({ err: error }, 'transfers could not be kept'))
  }, tuning.leaseMs / 3)
  wake()

  return {
    wake,
    async settled() {
      for (wake(); looking || running.size > 0; ) {
        await looking
        await Promise.all([...running.values()].map(({ done }) => done))
      }
    },
    async stop() {
      isStopped = true
      clearInterval(sweep)
      clearInterval(heartbeat)
      leave()
      await looking
      const left = [...running.values()]
      for (const { abort } of left) abort.abort(new Error('the service is stopping'))
      await Promise.all(left.map(({ done }) => done))
      await giveBack(left.map(({ claim }) => claim)).catch((error: unknown) =>
        log.warn({ err: error }, 'transfers go on when their leases are over'),
      )
    },
  }
}
