import { AsyncLocalStorage } from 'node:async_hooks'
import { attemptDelivery, LEASE_MARGIN_MS, type WebhookContext } from './attempt.ts'
import { type Claim, claimDue } from './claim.ts'
import { pruneDeliveries } from './deliveries.ts'
import { createLanes, type LaneLimits, type Room, SLOW_AFTER_MS } from './lanes.ts'

export type WebhookWorkerOptions = {
  /** How often due deliveries are looked for without being woken. */
  pollMs?: number
  /** How many deliveries run at once, see `LaneLimits`. */
  limits?: Partial<LaneLimits>
}

export type WebhookWorker = {
  start(): void
  /** Looks for due deliveries at once: call it when a transaction that enqueued something has committed. */
  wake(): void
  /** Attempts everything that is due now, and waits for the results. */
  runDue(): Promise<void>
  /** Takes nothing new, waits for what runs, and after the grace gives the rest back for another process. */
  stop(graceMs?: number): Promise<void>
}

/** Delivers webhooks from the tables. Any number of processes may run one each on the same database. */
export const createWebhookWorker = <T>(
  context: WebhookContext<T>,
  options: WebhookWorkerOptions = {},
): WebhookWorker => {
  const { database, log, policy } = context
  const lanes = createLanes(options.limits)
  const running = new Set<Promise<void>>()
  const giveUp = new AbortController()
  // `wake` may be called from inside a transaction, whose async context would make our own look nested.
  const outside = AsyncLocalStorage.snapshot()
  let timer: NodeJS.Timeout | undefined
  let pruneAt = 0
  let isStopped = false
  let looking: Promise<void> | undefined
  let lookAgain = false

  const claim = async (): Promise<LaneClaim[]> => {
    const now = context.now()
    const leaseUntil = new Date(now.getTime() + policy.timeoutMs + LEASE_MARGIN_MS)
    const wanted = lanes.rooms(performance.now()).filter(({ limit }) => limit > 0)
    if (wanted.length === 0) return []
    return database.tx(async (tx) => {
      const claims: LaneClaim[] = []
      for (const room of wanted) {
        const taken = await claimDue(tx, { ...room, now, leaseUntil })
        claims.push(...taken.map((claimed) => ({ ...claimed, lane: room.lane })))
      }
      return claims
    })
  }
  const run = async (claimed: LaneClaim): Promise<void> => {
    const place = lanes.enter(claimed.lane, claimed.endpointId, performance.now())
    // A slow attempt makes room for the next one.
    const slow = setTimeout(onRoom, SLOW_AFTER_MS + 1)
    try {
      await attemptDelivery(context, claimed, { timeoutMs: policy.timeoutMs, signal: giveUp.signal })
    } catch (error) {
      log.error({ err: error, webhookId: claimed.id }, 'a webhook delivery could not be handled; it is due again later')
    } finally {
      clearTimeout(slow)
      lanes.leave(place)
    }
  }
  const begin = (claimed: LaneClaim): Promise<void> => {
    const work = run(claimed)
    running.add(work)
    return work.finally(() => running.delete(work))
  }
  const look = async (): Promise<void> => {
    try {
      while (lookAgain && !isStopped) {
        lookAgain = false
        for (const claimed of await claim()) void begin(claimed).then(onRoom)
        if (performance.now() >= pruneAt) await prune()
      }
    } catch (error) {
      log.warn({ err: error }, 'due webhooks could not be read; trying again')
    } finally {
      looking = undefined
    }
  }
  const prune = async (): Promise<void> => {
    pruneAt = performance.now() + PRUNE_EVERY_MS
    const { hasMore } = await database.tx((tx) => pruneDeliveries(tx, policy.keep, context.now()))
    // With the next look, so that deliveries do not wait for it.
    if (hasMore) pruneAt = 0
  }
  const wake = (): void => {
    lookAgain = true
    if (!isStopped) looking ??= outside(look)
  }

  /** `runDue` works without timers: only a started worker looks by itself. */
  const onRoom = (): void => {
    if (timer) wake()
  }

  return {
    start() {
      timer ??= setInterval(wake, options.pollMs ?? POLL_MS)
      wake()
    },
    wake,
    async runDue() {
      for (let claims = await claim(); claims.length > 0; claims = await claim()) await Promise.all(claims.map(begin))
    },
    async stop(graceMs = STOP_GRACE_MS) {
      isStopped = true
      clearInterval(timer)
      const grace = setTimeout(() => giveUp.abort(new Error('the webhook worker is stopping')), graceMs)
      await looking
      await Promise.all(running)
      clearTimeout(grace)
    },
  }
}

type LaneClaim = Claim & { lane: Room['lane'] }

const POLL_MS = 1_000
const PRUNE_EVERY_MS = 60_000
/** A stopping process is expected to be gone within ten seconds. */
const STOP_GRACE_MS = 5_000
