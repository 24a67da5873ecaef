import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ensureDatabase } from '@stoa/kit/postgres/databases.ts'
import { startPostgres } from '@stoa/kit/postgres/server.ts'
import { checkEntries, startEntryLoad } from '../entry-load.ts'
import { within } from '../limits.ts'
import { answersInTime, type Report, summary } from '../outcomes.ts'
import { crash, isNewer, startedAt } from '../postgres-crash.ts'
import { until, untilReady } from '../readiness.ts'
import { startService } from '../service-process.ts'
import { prepareSite } from '../site.ts'
import { openLook } from '../table.ts'

const MAX_RECOVERY_MS = within(5_000)

/** The database is stopped hard under load. The service answers 503 in time and recovers without a restart. */
export const killedDatabase = async ({ stops = 20, writesPerSecond = 50 } = {}): Promise<Report> => {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-faults-'))
  const server = await startPostgres({ folder })
  const database = await ensureDatabase(server, 'stoa_cms')
  const service = await startService('cms', { CMS_DATABASE_URL: database })
  const look = openLook(database)
  const site = await prepareSite(service.url)
  const load = startEntryLoad(site, { writesPerSecond, url: () => service.url })
  await until('a first publication', () => load.published.size > 0)
  let slowestRecovery = 0
  for (let stop = 0; stop < stops; stop += 1) {
    await sleep(800 + Math.random() * 700)
    const before = await startedAt(look)
    crash(join(folder, 'cluster'))
    await until('the database is back', async () => isNewer(await startedAt(look), before))
    slowestRecovery = Math.max(slowestRecovery, await untilReady(service.url))
  }
  await sleep(300)
  const outcomes = await load.stop()
  const broken = [...answersInTime(outcomes), ...(await checkEntries(look, load))]
  if (slowestRecovery > MAX_RECOVERY_MS) broken.push(`a recovery took ${Math.round(slowestRecovery)} ms`)
  if (service.hasExited()) broken.push('the service ended instead of recovering')
  await service.stop()
  await look.close()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
  const { created, published } = load
  return {
    figures: {
      stops,
      ...summary(outcomes),
      entries: created.size,
      published: published.size,
      recovery_ms: Math.round(slowestRecovery),
    },
    broken,
  }
}
