import { systemClock } from '@stoa/kit/clock.ts'
import { openDatabase } from '@stoa/kit/db/database.ts'
import { openBus } from '@stoa/kit/events/bus.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { createMail } from '@stoa/mail/app.ts'
import { readConfig } from '@stoa/mail/config.ts'
import { startEngine } from '@stoa/mail/engine.ts'
import type { Tables } from '@stoa/mail/tables.ts'
import { serveBench } from '../harness.ts'
import { environmentOf } from './environment.ts'

/** The service's HTTP as it runs, without its mail protocols and workers. */
const [databaseUrl = '', folder = ''] = process.argv.slice(2)
const config = readConfig(environmentOf(databaseUrl, folder))
const log = createLogger({ name: 'bench', level: 'warn' })
const database = openDatabase<Tables>({ url: databaseUrl, poolSize: config.databasePoolSize, log })
const bus = openBus(database, { log })
const engine = await startEngine({ config, database, bus, log, clock: systemClock })
const http = createMail({ ...engine, config, database, bus, log, clock: systemClock })
await http.listen({ port: 0, host: '127.0.0.1' })
const address = http.server.address()
if (typeof address === 'object' && address) serveBench(address.port)
