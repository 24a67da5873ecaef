import type { Blobs } from '@stoa/kit/blobs/blobs.ts'
import type { Clock } from '@stoa/kit/clock.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import type { Bus } from '@stoa/kit/events/bus.ts'
import type { Log } from '@stoa/kit/log.ts'
import { type Credentials, createCredentials } from './addresses/credentials.ts'
import { resolveRecipient } from './addresses/routing.ts'
import { openBlobs } from './blobs.ts'
import type { Config } from './config.ts'
import { createResolver, type Resolver, resolveForMailauth } from './dns/resolver.ts'
import { createHosting, type Hosting } from './domains/hosting.ts'
import { signingKeyOf } from './domains/keys.ts'
import type { Tuning } from './queue/parts.ts'
import { startQueue } from './queue/queue.ts'
import {
  createLocalDelivery,
  createReceiveParts,
  type Listen,
  type ReceiveParts,
  type ServiceHooks,
  startMx,
} from './receive/receive.ts'
import { startSubmission } from './submit/submit.ts'
import type { Tables } from './tables.ts'
import { openCertificate } from './tls/certificate.ts'
import { startUpkeep } from './upkeep.ts'

export type EngineParts = {
  config: Config
  database: Database<Tables>
  bus: Bus
  log: Log
  clock: Clock
  /** For tests. */
  tuning?: Partial<Tuning>
}

/** What moves mail: the doors it comes in by, the queue it leaves by, and the upkeep of what is stored. */
export type Engine = {
  readonly blobs: Blobs
  readonly hosting: Hosting
  readonly credentials: Credentials
  readonly resolver: Resolver
  /** Where it listens: what it is for, and the port. */
  readonly doors: readonly (readonly [label: string, port: number])[]
  stop(): Promise<void>
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
  const hooks: ServiceHooks = {}
  const receiving = createReceiveParts({ database, blobs, config, lookup: resolveForMailauth(resolver), log, clock })
  // In the order in which they must end: first what takes mail in.
  const stops: (() => unknown)[] = []
  const doors = config.roles.has('smtp')
    ? await openDoors(parts, { receiving, hosting, credentials, hooks }, (stop) => stops.push(stop))
    : []
  if (config.roles.has('worker')) {
    const queue = startQueue({
      database,
      blobs,
      bus,
      config,
      resolver,
      log,
      clock,
      ...createLocalDelivery(receiving, hooks),
      resolveRecipient: (recipient) => resolveRecipient(database.db, hosting, recipient),
      signingKeyOf: (domainId) => signingKeyOf(database.db, hosting, domainId),
      ...(parts.tuning ? { tuning: parts.tuning } : {}),
    })
    const upkeep = await startUpkeep({ database, blobs, bus, log, clock })
    stops.push(() => Promise.all([queue.stop(), upkeep.stop()]))
  }
  return {
    blobs,
    hosting,
    credentials,
    resolver,
    doors,
    async stop() {
      for (const stop of stops) await stop()
      hosting.close()
      await blobs.close()
    },
  }
}

type Inside = { receiving: ReceiveParts; hosting: Hosting; credentials: Credentials; hooks: ServiceHooks }

const openDoors = async (
  { config, log, clock }: EngineParts,
  { receiving, hosting, credentials, hooks }: Inside,
  onStop: (stop: () => unknown) => void,
): Promise<[string, number][]> => {
  const submitting = { ...receiving, credentials, hosting }
  const wanted = [
    {
      label: 'Mail from outside',
      port: config.smtpPort,
      start: (listen: Listen) => startMx(receiving, listen, { hosting, hooks }),
    },
    {
      label: 'Submission',
      port: config.submissionPort,
      start: (listen: Listen) => startSubmission(submitting, { ...listen, isImplicit: false }),
    },
    {
      label: 'Submission, TLS',
      port: config.submissionsPort,
      start: (listen: Listen) => startSubmission(submitting, { ...listen, isImplicit: true }),
    },
  ].filter(({ port }) => port !== 0)
  if (wanted.length === 0) return []
  const { hostname, environment, dataDir } = config
  const certificate = await openCertificate({ files: config.tls, hostname, dataDir, environment, log, clock })
  const opened: [string, number][] = []
  const running: { stop(): Promise<void> }[] = []
  onStop(async () => {
    await Promise.all(running.map((server) => server.stop()))
    certificate.close()
  })
  for (const { label, port, start } of wanted) {
    const server = await start({ port, config, certificate })
    running.push(server)
    opened.push([label, server.port])
  }
  return opened
}
