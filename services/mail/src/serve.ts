import { openWeb } from '@stoa/kit/acme/web.ts'
import { lookUpNameServers } from '@stoa/kit/config/name-servers.ts'
import type { Env } from '@stoa/kit/config.ts'
import { refuseTooManyConnections } from '@stoa/kit/db/connections.ts'
import { type Change, openDatabase } from '@stoa/kit/db/database.ts'
import { openDatabaseClock } from '@stoa/kit/db/database-clock.ts'
import { migrate } from '@stoa/kit/db/migrate.ts'
import { untilConnected } from '@stoa/kit/db/until-connected.ts'
import { openBus } from '@stoa/kit/events/bus.ts'
import { addHealthMetrics } from '@stoa/kit/health/metrics.ts'
import { findReport } from '@stoa/kit/health/report.ts'
import { createMetrics, showMetrics } from '@stoa/kit/http/metrics.ts'
import { stopHttp } from '@stoa/kit/http/server.ts'
import { drain } from '@stoa/kit/http/stopping.ts'
import { createLogger } from '@stoa/kit/log.ts'
import type { ReadyLines, RunningService } from '@stoa/kit/process.ts'
import { STOP_GRACE_MS } from '@stoa/kit/stop-deadline.ts'
import { link } from '@stoa/kit/workers/link.ts'
import { createMail, migrationsFolder } from './app.ts'
import { readConfig } from './config.ts'
import { startEngine } from './engine.ts'
import { QUEUE_TOPIC } from './hosting/enqueue/enqueue.ts'
import { startCertificates } from './panel/certificates/certificates.ts'
import { watchHealth } from './panel/health/health.ts'
import { mailboxOf } from './store/store.ts'
import type { Tables } from './tables.ts'

/** Changes that only wake workers: no cache depends on them. */
const NOTICES: ReadonlySet<string> = new Set([QUEUE_TOPIC, 'email', 'webhook'])

/** Mailboxes are followed by those who have them open. */
const keyOf = (change: Change): string | null => (NOTICES.has(change.topic) ? change.topic : mailboxOf(change))

/** Starts what the roles of the process ask for, and listens. */
export const serve = async (env?: Env): Promise<RunningService> => {
  const given = readConfig(env)
  const config = { ...given, dnsResolvers: await lookUpNameServers(given.dnsResolvers) }
  const log = createLogger({ name: 'mail', level: config.logLevel })
  const url = config.databaseUrl.reveal()
  const directUrl = config.databaseDirectUrl?.reveal()
  await migrate(directUrl ?? url, migrationsFolder, log)
  const database = openDatabase<Tables>({
    url,
    directUrl,
    poolSize: config.databasePoolSize,
    log,
    applicationName: 'stoa-mail',
  })
  await untilConnected(database)
  await refuseTooManyConnections(database.db, {
    poolSize: config.databasePoolSize,
    processes: link?.count ?? 1,
    variable: 'MAIL_WORKERS',
  })
  const bus = openBus(database, { log, applicationName: 'stoa-mail-events', keyOf })
  const metrics = createMetrics('mail')
  const clock = await openDatabaseClock(database, { log })
  const engine = await startEngine({ config, database, bus, log, clock })
  const { blobs, hosting, credentials, live, payments, prices } = engine
  const parts = {
    config,
    database,
    blobs,
    bus,
    log,
    clock,
    hosting,
    credentials,
    live,
    payments,
    prices,
  }
  const http = createMail({ ...parts, metrics })
  const isWeb = config.roles.has('http')
  if (isWeb) await http.listen({ port: config.port, host: config.host })
  const web = await openWeb(http, {
    ...parts,
    ...config,
    certificate: engine.certificate,
    httpsPort: isWeb ? config.httpsPort : null,
    challengePort: isWeb && config.acme ? config.challengePort : null,
  })
  // Not before the authority's questions can be answered.
  const certificates = await startCertificates(parts)
  const health = watchHealth(parts)
  addHealthMetrics(metrics.registry, () => findReport(database.db))
  const figures = await showMetrics(metrics, config, http)
  const pages: ReadyLines = [
    ['Mail panel', config.publicUrl],
    ['Webmail', `${config.publicUrl}/webmail/`],
  ]
  const doors: ReadyLines = engine.doors.map(([label, port]) => [label, `port ${port}`])
  return {
    lines: isWeb ? [...pages, ...doors] : doors,
    drain: () => drain(http, config.drainSeconds * 1_000),
    stop: async (deadline) => {
      const ordering = certificates ? [deadline.wait('certificates', certificates.stop())] : []
      const requests = deadline.wait('requests', stopHttp(http, STOP_GRACE_MS))
      const watching = deadline.wait('health', health.stop())
      await engine.stop(deadline, [requests, web.close(STOP_GRACE_MS), watching, ...ordering])
      await figures?.close()
      clock.stop()
      await blobs.close()
      await deadline.wait('notifications', bus.close())
      await deadline.wait('the database', database.close())
    },
  }
}
