import { setTimeout as sleep } from 'node:timers/promises'
import { createApp, migrationsFolder } from '@stoa/cms/app.ts'
import { readConfig } from '@stoa/cms/config.ts'
import { systemClock } from '@stoa/kit/clock.ts'
import { migrate } from '@stoa/kit/db/migrate.ts'
import { newId } from '@stoa/kit/ids.ts'
import { createLogger } from '@stoa/kit/log.ts'
import type { Ask, Report } from './messages.ts'

/** The service itself, in a process of its own so that its memory is nobody else's. */
const databaseUrl = process.argv[2] ?? ''
const log = createLogger({ name: 'bench', level: 'error' })
await migrate(databaseUrl, migrationsFolder, log)
const config = readConfig({
  NODE_ENV: 'test',
  PORT: '0',
  SECRET: 'a secret of the bench, long enough for anyone',
  CMS_DATABASE_URL: databaseUrl,
})
const cms = createApp(config, { log, clock: systemClock })
await cms.prepare()
const url = await cms.app.listen({ port: 0, host: '127.0.0.1' })

const report = (message: Report) => process.send?.(message)

/** What the process really holds: garbage is none of it. */
const memory = async (): Promise<number> => {
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc?.()
    await sleep(100)
  }
  return process.memoryUsage().rss
}

const publish = (): Promise<void> =>
  cms.database.tx(async (tx) => {
    const data = { id: newId(), slug: 'sent-to-all', type: 'article', isPublic: true }
    tx.changes.push({ topic: 'entry', event: 'entry.published', data })
  })

process.on('message', async (ask: Ask) => {
  if (ask === 'memory') report({ type: 'memory', bytes: await memory(), sockets: cms.sockets() })
  if (ask === 'publish') {
    await publish()
    report({ type: 'published' })
  }
})
process.on('disconnect', () => process.exit())
report({ type: 'ready', url })
