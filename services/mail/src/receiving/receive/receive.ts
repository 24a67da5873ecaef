import type { Blobs } from '@stoa/kit/blobs/blobs.ts'
import type { Clock } from '@stoa/kit/clock.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import type { Bus } from '@stoa/kit/events/bus.ts'
import type { Log } from '@stoa/kit/log.ts'
import { createSemaphore } from '@stoa/kit/semaphore.ts'
import type { DnsLookup } from '../../formats/authenticity/authenticity.ts'
import { createKnownRoutes } from '../../hosting/addresses/addresses.ts'
import { keepInstanceSettings } from '../../hosting/instance-settings/instance-settings.ts'
import { createRefusedRecipients } from '../../hosting/trace/trace.ts'
import type { Tables } from '../../tables.ts'
import { type DoorServer, type Listen, membersOf } from '../../wire/listen/listen.ts'
import { startSmtpServer } from '../../wire/smtp/smtp.ts'
import { createScriptCache } from '../filters/filters.ts'
import { createReputationCheck } from '../reputation/reputation.ts'
import { createMxDoor, type MxOptions } from './mx.ts'
import type { ReceiveConfig, ReceiveParts } from './parts.ts'
import { createMailRates } from './rates.ts'
import { createReceipts } from './receipts.ts'
import { createReplayWatch } from './replays.ts'
import { createMemoryBudget } from './spool.ts'

export type { ServiceHooks } from './bounces.ts'
export { createLocalDelivery } from './local.ts'
export type { ReceiveParts } from './parts.ts'
export { spoolMessage } from './spool.ts'
export { protocolOf } from './trace.ts'

/** Large messages that are in memory at the same time, and how many may wait for it. */
const LARGE_AT_ONCE = 2
const LARGE_WAITING = 500

/** What receiving shares in a process. */
export const createReceiveParts = ({
  bus,
  ...given
}: {
  database: Database<Tables>
  blobs: Blobs
  config: ReceiveConfig
  lookup: DnsLookup
  log: Log
  clock: Clock
  bus?: Bus
}): ReceiveParts => ({
  ...given,
  settings: keepInstanceSettings(given.database, bus),
  routes: createKnownRoutes({ db: given.database.db, hostname: given.config.hostname, bus }),
  reputationOf: createReputationCheck(given),
  scripts: createScriptCache(),
  receipts: createReceipts(given.database, given.log),
  refused: createRefusedRecipients(given),
  replays: createReplayWatch(given.clock, given.log, membersOf(given.config.limitExempt)),
  largeMessages: createSemaphore({ parallel: LARGE_AT_ONCE, waiting: LARGE_WAITING }),
  memory: createMemoryBudget(),
})

/** Listens for mail from other hosts. */
export const startMx = async (parts: ReceiveParts, listen: Listen, options: MxOptions): Promise<DoorServer> => {
  const { host, trustedProxies, smtpMaxPerIp, limitExempt } = listen.config
  const rates = options.rates ?? createMailRates(parts.clock, { isExempt: membersOf(limitExempt) })
  const server = await startSmtpServer({
    door: createMxDoor(parts, { ...options, rates }),
    host,
    port: listen.port,
    certificate: listen.certificate,
    isImplicit: false,
    trustedProxies,
    maxPerIp: smtpMaxPerIp,
    limitExempt,
  })
  return {
    ...server,
    stop: async () => {
      await server.stop()
      await Promise.all([parts.receipts.flush(), parts.refused.flush()])
    },
  }
}
