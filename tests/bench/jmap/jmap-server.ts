import { startJmapServer } from '@stoa/mail/doors/jmap/testing/server.ts'
import { serveBench } from '../harness.ts'

/** JMAP as the service runs it, without the panel. */
const [databaseUrl = '', folder = ''] = process.argv.slice(2)
const { port } = await startJmapServer({ databaseUrl, folder, poolSize: 10 })
serveBench(port)
