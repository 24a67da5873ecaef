import { openLocalBlobs } from '@stoa/kit/blobs/local.ts'
import { systemClock } from '@stoa/kit/clock.ts'
import { openDatabase } from '@stoa/kit/db/database.ts'
import { openBus } from '@stoa/kit/events/bus.ts'
import { createLogger } from '@stoa/kit/log.ts'
import type { Tables } from '../../../tables.ts'
import { startQueue } from '../queue.ts'
import { testParts } from './parts.ts'

/** A queue in a process of its own, to be killed and frozen: `node queue-process.ts <url> <folder> <dns> <port> <tuning>`. */
const [url = '', folder = '', dnsAddress = '', port = '', tuning = '{}'] = process.argv.slice(2)
const log = createLogger({ name: 'queue', level: 'warn', destination: { write: (line) => process.send?.({ line }) } })
const database = openDatabase<Tables>({ url, poolSize: 4, log })
const bus = openBus(database, { log })
const blobs = await openLocalBlobs(folder)
startQueue(
  testParts(
    { database, blobs, bus, clock: systemClock, log, dnsAddress, port: Number(port) },
    { tuning: JSON.parse(tuning) },
  ),
)
process.on('disconnect', () => process.exit())
process.send?.({ ready: true })
