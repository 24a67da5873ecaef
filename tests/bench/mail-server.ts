import { systemClock } from '@stoa/kit/clock.ts'
import { openDatabase } from '@stoa/kit/db/database.ts'
import { openBus } from '@stoa/kit/events/bus.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { readConfig } from '@stoa/mail/config.ts'
import { startEngine } from '@stoa/mail/engine.ts'
import { indexPending } from '@stoa/mail/store/search/search.ts'
import type { Tables } from '@stoa/mail/tables.ts'
import { serveBench } from './harness.ts'

/** The engine of the mail service as it runs, with the ports and roles that a bench asks for. */
const [url = '', settings = '{}'] = process.argv.slice(2)
const log = createLogger({ name: 'bench', level: 'warn' })
const config = readConfig({ NODE_ENV: 'test', MAIL_DATABASE_URL: url, ...JSON.parse(settings) })
const database = openDatabase<Tables>({ url, poolSize: config.databasePoolSize, log })
const bus = openBus(database, { log })
await bus.ready()
const { doors, blobs } = await startEngine({ config, database, bus, log, clock: systemClock })
serveBench(doors[0]?.[1] ?? 0, { index: () => indexPending({ database, blobs, log }) })
