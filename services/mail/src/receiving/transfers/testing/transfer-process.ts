import { openLocalBlobs } from '@stoa/kit/blobs/local.ts'
import { systemClock } from '@stoa/kit/clock.ts'
import { openDatabase } from '@stoa/kit/db/database.ts'
import { openBus } from '@stoa/kit/events/bus.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { readConfig } from '../../../config.ts'
import type { Tables } from '../../../tables.ts'
import { startTransfers } from '../worker.ts'

/** A worker in a process of its own, to be killed: `node transfer-process.ts <url> <folder> <secret> <tuning>`. */
const [url = '', folder = '', secret = '', tuning = '{}'] = process.argv.slice(2)
const log = createLogger({ name: 'transfers', level: 'warn' })
const database = openDatabase<Tables>({ url, poolSize: 3, log })
const bus = openBus(database, { log })
const blobs = await openLocalBlobs(folder)
const config = readConfig({
  NODE_ENV: 'test',
  SECRET: secret,
  MAIL_DATABASE_URL: url,
  DATA_DIR: folder,
  MAIL_HOSTNAME: 'mx.stoa.test',
  TRANSFER_ALLOW_PRIVATE_HOSTS: 'true',
})
startTransfers({ config, database, blobs, bus, clock: systemClock, log }, JSON.parse(tuning))
process.on('disconnect', () => process.exit())
process.send?.({ ready: true })
