import { systemClock } from '@stoa/kit/clock.ts'
import { openDatabase } from '@stoa/kit/db/database.ts'
import { openBus } from '@stoa/kit/events/bus.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { createMail } from '@stoa/mail/app.ts'
import { readConfig } from '@stoa/mail/config.ts'
import { startEngine } from '@stoa/mail/engine.ts'
import type { Tables } from '@stoa/mail/tables.ts'
import { serveBench } from '../harness.ts'

/** The API as the service runs it; another process would deliver. */
const [url = '', folder = ''] = process.argv.slice(2)
const log = createLogger({ name: 'bench', level: 'warn' })
const config = readConfig({
  NODE_ENV: 'test',
  MAIL_DATABASE_URL: url,
  SECRET: 'a secret of the bench, long enough for anyone',
  MAIL_PUBLIC_URL: 'http://mail.test',
  MAIL_HOSTNAME: 'mx.ours.test',
  MAIL_ROLES: 'http',
  RATE_LIMIT_PER_SECOND: '1000000',
  DATA_DIR: folder,
})
const database = openDatabase<Tables>({ url, poolSize: config.databasePoolSize, log })
const bus = openBus(database, { log })
await bus.ready()
const engine = await startEngine({ config, database, bus, log, clock: systemClock })
const http = createMail({ ...engine, config, database, bus, log, clock: systemClock })
await http.listen({ port: 0, host: '127.0.0.1' })
const address = http.server.address()
serveBench(typeof address === 'object' && address ? address.port : 0)
