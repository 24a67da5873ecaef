import { isConflict } from '@stoa/kit/db/errors.ts'
import { createQueueWorker, type Polling, type QueueWorker } from '@stoa/kit/queue/worker.ts'
import { contextFor, type Services } from '../../context.ts'
import type { Tables } from '../../tables.ts'
import { networkOf } from '../networks/networks.ts'
import { NETWORK_GONE } from './failures.ts'
import { type ClaimedTarget, targetQueue } from './queue.ts'
import { ClaimLost, settleFailed } from './run.ts'
import { sendTarget } from './send.ts'

const LEASE_MS = 90_000
const POLL_MS = 5_000
/** In this process; uploads of videos would otherwise take all connections. */
const PARALLEL = 6

export const SYSTEM = { kind: 'system', name: 'social' } as const

/** Sends targets that are due. Any number of processes may run one each. */
export const createSocialWorker = (services: Services, { pollMs = POLL_MS }: Polling = {}): QueueWorker => {
  const busy = new Map<string, number>()
  const count = (network: string, by: number) => {
    const running = (busy.get(network) ?? 0) + by
    if (running === 0) busy.delete(network)
    else busy.set(network, running)
  }
  return createQueueWorker<Tables, ClaimedTarget>({
    database: services.database,
    table: targetQueue(busy),
    name: 'a social post',
    log: services.log,
    now: () => services.clock.now(),
    leaseMs: LEASE_MS,
    isExtended: true,
    pollMs,
    isTimed: true,
    limits: { healthy: PARALLEL, failing: 0, slow: 0, perKey: PARALLEL },
    isRace: (error) => isConflict(error, 'social_target_publishing'),
    async work(claim, { signal }) {
      const { network: name } = claim.row
      count(name, 1)
      try {
        const ctx = contextFor(services, SYSTEM)
        const network = networkOf(services, name)
        const run = { services, ctx, claim, signal, step: claim.row.step, progress: claim.row.progress }
        if (network) await sendTarget({ ...run, network })
        else await settleFailed(run, NETWORK_GONE).catch(ignoreLost)
      } finally {
        count(name, -1)
      }
    },
  })
}

const ignoreLost = (error: unknown): void => {
  if (!(error instanceof ClaimLost)) throw error
}
