import type { LaneLimits } from '../queue/lanes.ts'
import { createQueueWorker, type Polling, type QueueWorker } from '../queue/worker.ts'
import { attemptDelivery, LEASE_MARGIN_MS, type WebhookContext } from './attempt.ts'
import { deliveryQueue, toClaim } from './claim.ts'
import { pruneDeliveries } from './deliveries.ts'

export type WebhookWorkerOptions = Polling & {
  /** How many deliveries run at once, see `LaneLimits`. */
  limits?: Partial<Omit<LaneLimits, 'perKey'> & { perEndpoint: number }>
}

export type WebhookWorker = QueueWorker

/** Delivers webhooks from the tables. Any number of processes may run one each on the same database. */
export const createWebhookWorker = <T>(
  context: WebhookContext<T>,
  { pollMs, limits: { perEndpoint, ...limits } = {} }: WebhookWorkerOptions = {},
): WebhookWorker => {
  const { database, log, now, policy } = context
  return createQueueWorker({
    database,
    log,
    now,
    table: deliveryQueue,
    name: 'a webhook delivery',
    leaseMs: policy.timeoutMs + LEASE_MARGIN_MS,
    limits: { ...limits, ...(perEndpoint === undefined ? {} : { perKey: perEndpoint }) },
    pollMs,
    async work(claimed, { signal }) {
      await attemptDelivery(context, toClaim(claimed), { timeoutMs: policy.timeoutMs, signal })
    },
    upkeep: {
      everyMs: PRUNE_EVERY_MS,
      run: () => database.tx((tx) => pruneDeliveries(tx, policy.keep, now())),
    },
  })
}

const PRUNE_EVERY_MS = 60_000
