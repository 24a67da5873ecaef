import { createApp } from '@stoa/cms/app.ts'
import { readConfig } from '@stoa/cms/config.ts'
import { systemClock } from '@stoa/kit/clock.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { serveBench } from '../harness.ts'

const [, , databaseUrl = '', cacheBytes = '0'] = process.argv
const config = readConfig({
  NODE_ENV: 'test',
  PORT: '0',
  PUBLIC_URL: 'http://localhost',
  SECRET: 'a secret of the bench, long enough for anyone',
  CMS_DATABASE_URL: databaseUrl,
  DELIVERY_CACHE_BYTES: cacheBytes,
})
const cms = createApp(config, { log: createLogger({ name: 'bench', level: 'warn' }), clock: systemClock })
await cms.services.bus.ready()
await cms.app.listen({ port: 0, host: '127.0.0.1' })
const address = cms.app.server.address()
if (typeof address === 'object' && address) serveBench(address.port)
