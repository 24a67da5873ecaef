import { startBackups } from '@stoa/kit/backup/schedule.ts'
import type { Blobs } from '@stoa/kit/blobs/blobs.ts'
import type { Clock } from '@stoa/kit/clock.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import type { Bus } from '@stoa/kit/events/bus.ts'
import type { Log } from '@stoa/kit/log.ts'
import { NO_STOP_DEADLINE, type StopDeadline } from '@stoa/kit/stop-deadline.ts'
import type { Certificate } from '@stoa/kit/tls/source.ts'
import { backupSource, openBlobs } from './blobs.ts'
import type { Config } from './config.ts'
import { startPush } from './doors/jmap/push/worker.ts'
import { startBulkWorker } from './doors/webmail/actions/bulk-worker.ts'
import { type Credentials, createCredentials } from './hosting/addresses/credentials.ts'
import { createLiveSignIns, type LiveSignIns } from './hosting/addresses/live.ts'
import { signingKeyOf } from './hosting/domains/dkim-keys.ts'
import { createHosting, type Hosting } from './hosting/domains/hosting.ts'
import type { PlanPrices } from './hosting/plans/offers.ts'
import { openDoors } from './open-doors.ts'
import { openPayments } from './panel/billing/payments.ts'
import { openPrices, syncPricesAtStart } from './panel/billing/prices.ts'
import type { PaymentProvider } from './panel/billing/provider.ts'
import { applyBillingAtStart } from './panel/billing/subscriptions.ts'
import { warnOfUnclosed } from './panel/billing/sync/closing.ts'
import { startBilling } from './panel/billing/sync/worker.ts'
import { openMailCertificate } from './panel/certificates/certificates.ts'
import { startExports } from './panel/exports/worker.ts'
import { startWebhooks } from './panel/webhooks/worker.ts'
import { createLocalDelivery, createReceiveParts, type ServiceHooks } from './receiving/receive/receive.ts'
import { startTransfers } from './receiving/transfers/transfers.ts'
import { emailHooks, recordComplaint } from './sending/emails/events.ts'
import { simulate } from './sending/emails/simulator.ts'
import { mailHooks } from './sending/outcomes/outcomes.ts'
import { startQueue } from './sending/queue/queue.ts'
import type { Tables } from './tables.ts'
import { startUpkeep } from './upkeep.ts'
import { createResolver, type Resolver, resolveForMailauth } from './wire/dns/resolver.ts'

export type EngineParts = {
  config: Config
  database: Database<Tables>
  bus: Bus
  log: Log
  clock: Clock
}

/** Everything that moves mail: the doors that it enters by, the queue that it leaves by, and background jobs. */
export type Engine = {
  /** Requests over HTTP use them, too, so that whoever started the engine closes them at the very end. */
  readonly blobs: Blobs
  readonly hosting: Hosting
  readonly credentials: Credentials
  readonly live: LiveSignIns
  readonly resolver: Resolver
  readonly payments: PaymentProvider | null
  readonly prices: PlanPrices
  /** The certificate for TLS; null when this process serves no TLS. */
  readonly certificate: Certificate | null
  /** The open ports, each with its purpose. */
  readonly doors: readonly (readonly [label: string, port: number])[]
  /** Stops the engine. Its shared parts stay open until the promises in `beside` have ended, which may need them. */
  stop(deadline?: StopDeadline, beside?: readonly Promise<unknown>[]): Promise<void>
}

/** Starts what the process's roles ask for. */
export const startEngine = async (parts: EngineParts): Promise<Engine> => {
  const { config, database, bus, log, clock } = parts
  const resolver = createResolver({ servers: config.dnsResolvers, clock })
  const blobs = await openBlobs(config.storage)
  const hosting = createHosting(config, bus)
  const credentials = createCredentials({
    database,
    secret: config.secret,
    clock,
    log,
    limitExempt: config.limitExempt,
  })
  const live = createLiveSignIns({ database, bus, log, clock })
  const payments = await openPayments(config, log)
  const prices = await openPrices({ database, bus, log }, payments)
  await syncPricesAtStart({ database, log, clock, payments })
  const hooks: ServiceHooks = { onOutcome: emailHooks(config.testDomain).onOutcome, onComplaint: recordComplaint }
  const receiving = createReceiveParts({
    database,
    blobs,
    config,
    lookup: resolveForMailauth(resolver),
    log,
    clock,
    bus,
  })
  const certificate = await openMailCertificate(parts)
  const stops: [name: string, stop: () => Promise<void>][] = []
  const opening = { ...parts, blobs, receiving, credentials, live, hooks, certificate }
  const { doors, stop: closeDoors } = await openDoors(opening)
  stops.push(['connections', closeDoors])
  if (config.roles.has('worker')) {
    const queue = startQueue({
      database,
      blobs,
      bus,
      config,
      resolver,
      log,
      clock,
      ...mailHooks(config),
      simulate: simulate(config.testDomain),
      ...createLocalDelivery(receiving, hooks),
      resolveRecipient: receiving.routes.find,
      signingKeyOf: (domainId) => signingKeyOf(database.db, hosting, domainId),
    })
    await applyBillingAtStart({ database, config, log }, clock.now())
    // With plans off, too: a deleted account must not be charged any more.
    const collecting = payments ?? (await openPayments({ ...config, billing: 'on' }, log))
    if (!collecting) await warnOfUnclosed({ database, log })
    const billing = collecting && startBilling({ config, database, blobs, bus, log, clock, payments: collecting })
    const upkeep = await startUpkeep({ config, database, blobs, bus, log, clock, payments })
    const push = startPush({ database, bus, clock, log, config })
    const transfers = startTransfers({ config, database, blobs, bus, log, clock })
    const webhooks = startWebhooks({ database, blobs, bus, clock, log, config })
    const bulk = startBulkWorker({ database, bus, log, clock })
    const exports = startExports({ database, blobs, bus, log, clock })
    const backups = startBackups(
      backupSource(config, async () => blobs),
      { settings: config.backup, log },
    )
    const workers = { bulk, exports, queue, upkeep, push, transfers, webhooks, billing, backups }
    for (const [name, worker] of Object.entries(workers)) if (worker) stops.push([name, () => worker.stop()])
  }
  return {
    blobs,
    hosting,
    credentials,
    live,
    resolver,
    payments,
    prices,
    certificate,
    doors,
    async stop(deadline = NO_STOP_DEADLINE, beside = []) {
      // Together: nobody waits for the others' time.
      await Promise.all([...beside, ...stops.map(([name, stop]) => deadline.wait(name, stop()))])
      certificate?.close()
      live.close()
      receiving.settings.close()
      receiving.routes.close()
      prices.close()
      hosting.close()
    },
  }
}
