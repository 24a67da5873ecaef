import { inBatches, runSteps } from '@stoa/kit/db/batches.ts'
import { createEgress } from '@stoa/kit/egress/egress.ts'
import { STOP_GRACE_MS } from '@stoa/kit/stop-deadline.ts'
import { z } from 'zod'
import { createSigner } from '../../formats/signing/signing.ts'
import { QUEUE_TOPIC } from '../../hosting/enqueue/enqueue.ts'
import { DnsError } from '../../wire/dns/dns.ts'
import { claimOne } from './claim-queries.ts'
import { createStsPolicies } from './mta-sts.ts'
import { createOutgoing } from './outgoing.ts'
import type { OnFirstAttempt, OnOutcome, QueueParts, Tuning } from './parts.ts'
import { addTlsCounts } from './policy-queries.ts'
import { createPool, POOL_LIMITS } from './pool.ts'
import { deleteFinished, deleteOldDestinations, deleteOldSoftBounces } from './queries.ts'
import { createRecorder, type RecorderParts, recordNow } from './recorder.ts'
import { readRelay } from './relay.ts'
import { SMTP_TIMEOUTS } from './smtp-connection.ts'
import { createTlsCounters } from './tls-counters.ts'
import { NO_PATH } from './verdicts.ts'
import { startWorker } from './worker.ts'

export type {
  AttemptResult,
  ClaimedRecipient,
  DeliverLocal,
  DeliverToService,
  LocalAnswer,
  LocalMail,
  OnFirstAttempt,
  OnOutcome,
  Outcome,
  QueueParts,
  ServiceRoute,
} from './parts.ts'
export { UNFINISHED } from './states.ts'

export type Queue = {
  /** Looks for due mail at once. Not needed after `enqueue`, whose commit wakes the workers of all processes. */
  wake(): void
  /** Gives back what has not left yet; takes a few seconds at most. */
  stop(): Promise<void>
  /** Reports delays of mail for destinations that do not answer, and gives it up in time; runs by itself every half minute. */
  expireStalled(): Promise<void>
  /** Removes what has been finished for a month; runs by itself every hour. */
  prune(): Promise<void>
}

const TUNING: Tuning = {
  slots: 100,
  perDestination: 20,
  leaseMs: 60_000,
  pollMs: 1_000,
  graceMs: STOP_GRACE_MS,
  timeouts: SMTP_TIMEOUTS,
  signingThreads: undefined,
  trustedCa: undefined,
  mtaStsPort: 443,
}

const TEND_EVERY_MS = 30_000
const PRUNE_EVERY_MS = 3_600_000
const DAY_MS = 86_400_000
/** The same time as for activity, so that "where is my mail" has an answer. */
const KEEP_MS = 30 * DAY_MS
const PRUNE_BATCH = 500

/** Starts to deliver what is in the queue. */
export const startQueue = (parts: QueueParts): Queue => {
  const { database, blobs, clock, log, config, resolver } = parts
  const tuning: Tuning = { ...TUNING, ...parts.tuning }
  const { trustedCa } = tuning
  const signer = createSigner(tuning.signingThreads === undefined ? {} : { threads: tuning.signingThreads })
  const pool = createPool({ ...POOL_LIMITS, perHost: Math.max(POOL_LIMITS.perHost, tuning.perDestination) })
  const counters = createTlsCounters(clock)
  const { hostname } = config
  const outgoing = createOutgoing({ blobs, signer, clock, hostname, signingKeyOf: parts.signingKeyOf })
  const egress = createEgress({
    ports: [tuning.mtaStsPort],
    allowPrivate: config.outboundAllowPrivate,
    resolver: (name) =>
      resolver.addresses(name).catch((error: unknown) => {
        if (error instanceof DnsError && error.kind === 'none') return []
        throw error
      }),
    ...(trustedCa ? { trustedCa } : {}),
  })
  const policies = createStsPolicies({ database, resolver, egress, clock, log, port: tuning.mtaStsPort })
  const recorder = createRecorder({ database, blobs, hostname, clock, log, onOutcome: parts.onOutcome })
  const worker = startWorker({
    database,
    log,
    clock,
    tuning,
    recorder,
    ...(parts.onFirstAttempt ? { onFirstAttempt: parts.onFirstAttempt } : {}),
    delivery: {
      ...(parts.deliverToService ? { deliverToService: parts.deliverToService } : {}),
      ...(parts.simulate ? { simulate: parts.simulate } : {}),
      deliverLocal: parts.deliverLocal,
      resolveRecipient: parts.resolveRecipient,
      config,
      log,
      clock,
      outgoing,
      remote: {
        resolver,
        policies,
        pool,
        counters,
        clock,
        rules: { own: ownNames(config), allowPrivate: config.outboundAllowPrivate },
        relay: readRelay(config.relayUrl),
        port: config.outboundPort,
        hostname,
        timeouts: tuning.timeouts,
        trustedCa,
      },
    },
  })

  const flushCounters = async (): Promise<void> => {
    const counts = counters.take()
    if (counts.length > 0) await database.tx((tx) => addTlsCounts(tx, counts))
  }
  const prune = (): Promise<void> => {
    const before = new Date(clock.now().getTime() - KEEP_MS)
    const aDayAgo = new Date(clock.now().getTime() - DAY_MS)
    return runSteps([
      () => inBatches(database, PRUNE_BATCH, (tx, limit) => deleteFinished(tx, before, limit)),
      () => inBatches(database, PRUNE_BATCH, (tx, limit) => deleteOldSoftBounces(tx, before, limit)),
      () => inBatches(database, PRUNE_BATCH, (tx, limit) => deleteOldDestinations(tx, aDayAgo, limit)),
    ])
  }
  const quietly = (what: string, work: () => Promise<void>) => () => {
    work().catch((error: unknown) => log.warn({ err: error }, what))
  }
  const timers = [
    setInterval(quietly('waiting mail could not be looked at', worker.expireStalled), TEND_EVERY_MS),
    setInterval(quietly('counts of TLS could not be written', flushCounters), TEND_EVERY_MS),
    setInterval(quietly('finished mail could not be removed', prune), PRUNE_EVERY_MS),
  ]
  const others = createLateWake(worker.wake)
  const leave = parts.bus.subscribe(
    ({ topic, data }, origin) => {
      if (topic !== QUEUE_TOPIC) return
      const domains = named.safeParse(data).data?.domains
      if (origin === 'own') worker.wake(domains)
      else others.wake(domains)
    },
    () => worker.wake(),
  )

  return {
    wake: () => worker.wake(),
    expireStalled: worker.expireStalled,
    prune,
    async stop() {
      for (const timer of timers) clearInterval(timer)
      others.stop()
      leave()
      await worker.stop()
      pool.close()
      await signer.close()
      await flushCounters().catch((error: unknown) => log.warn({ err: error }, 'counts of TLS were lost'))
    },
  }
}

const named = z.object({ domains: z.array(z.string()) })

/** How long the process that took a message has to begin with it, before the others look for what is left. */
const OTHERS_MS = 50

/** Wakes once for all notifications of other processes within a moment: a look for mail that they send costs a transaction. */
const createLateWake = (wake: (domains?: readonly string[]) => void) => {
  const waiting = new Set<string>()
  let isAnywhere = false
  let timer: NodeJS.Timeout | null = null
  const wakeNow = (): void => {
    timer = null
    wake(isAnywhere ? undefined : [...waiting])
    waiting.clear()
    isAnywhere = false
  }
  return {
    wake(domains?: readonly string[]): void {
      if (domains) for (const domain of domains) waiting.add(domain)
      else isAnywhere = true
      timer ??= setTimeout(wakeNow, OTHERS_MS)
    },
    stop(): void {
      if (timer) clearTimeout(timer)
    },
  }
}

const ownNames = ({ hostname, mxHosts }: QueueParts['config']): string[] => [
  ...new Set([hostname, ...mxHosts].map((name) => name.toLowerCase())),
]

/** Longer than it takes to write a report; a process that dies gives the mail back after this. */
const DROP_LEASE_MS = 60_000

/** Gives a recipient up, as a failure that is reported to its sender. False while it is leased, or when it is finished. */
export const dropQueued = async (parts: RecorderParts, id: string): Promise<boolean> => {
  const now = parts.clock.now()
  const leaseUntil = new Date(now.getTime() + DROP_LEASE_MS)
  const claim = await parts.database.tx((tx) => claimOne(tx, { id, now, leaseUntil }))
  if (!claim) return false
  const results = claim.recipients.map((recipient) => ({
    recipient,
    verdict: { kind: 'dropped' } as const,
    path: NO_PATH,
    durationMs: 0,
  }))
  return recordNow(parts, { claim, results })
}

/** Called in the transactions that claim messages and record their results. */
export type QueueHooks = { onOutcome: OnOutcome; onFirstAttempt: OnFirstAttempt }

/** All of these, one after the other. */
export const joinHooks = (...all: readonly QueueHooks[]): QueueHooks => ({
  onOutcome: async (tx, outcomes) => {
    for (const { onOutcome } of all) await onOutcome(tx, outcomes)
  },
  onFirstAttempt: async (tx, begun) => {
    for (const { onFirstAttempt } of all) await onFirstAttempt(tx, begun)
  },
})
