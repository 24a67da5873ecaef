import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ensureDatabase } from '@stoa/kit/postgres/databases.ts'
import { startPostgres } from '@stoa/kit/postgres/server.ts'
import { freePort } from '../../lib/free-port.ts'
import { within } from '../limits.ts'
import { openMailboxes, startMailLoad } from '../mail-load.ts'
import type { Report } from '../outcomes.ts'
import { crash, isNewer, startedAt } from '../postgres-crash.ts'
import { until, untilReady } from '../readiness.ts'
import { startService } from '../service-process.ts'
import { CUT_ALL, openLook } from '../table.ts'

const MAX_ANSWER_MS = within(10_000)
const CUT_EVERY_MS = 2_000

/** The database is stopped hard, then its connections are cut, while mail comes in. Nothing acknowledged is lost or doubled. */
export const mailOutage = async ({ stops = 20, cuttingSeconds = 60, perSecond = 20 } = {}): Promise<Report> => {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-faults-'))
  const server = await startPostgres({ folder })
  const database = await ensureDatabase(server, 'stoa_mail')
  const port = await freePort()
  const service = await startService('mail', {
    MAIL_DATABASE_URL: database,
    SMTP_PORT: String(port),
    DATA_DIR: join(folder, 'data'),
    LIMIT_EXEMPT: '127.0.0.0/8',
    DNS_RESOLVERS: '127.0.0.1:1',
  })
  const look = openLook(database)
  const boxes = await openMailboxes(database, 5)
  const load = startMailLoad({ port, recipients: boxes.emails, perSecond })
  await until('a first message', () => load.acknowledged.size > 0)
  for (let stop = 0; stop < stops; stop += 1) {
    await sleep(800 + Math.random() * 700)
    const before = await startedAt(look)
    crash(join(folder, 'cluster'))
    await until('the database is back', async () => isNewer(await startedAt(look), before))
    await untilReady(service.url)
  }
  let cut = 0
  for (const end = Date.now() + cuttingSeconds * 1_000; Date.now() < end; await sleep(CUT_EVERY_MS))
    cut += await look.count(CUT_ALL)
  await load.finish()
  const broken = await boxes.check(load)
  const odd = [...load.refusals.keys()].filter((code) => code !== '451' && code !== '421' && code !== 'cut')
  broken.push(...odd.map((code) => `a sender was answered ${code}`))
  if (load.slowestMs() > MAX_ANSWER_MS) broken.push(`a sender waited ${Math.round(load.slowestMs())} ms`)
  if (service.hasExited()) broken.push('the service ended instead of recovering')
  await service.stop()
  await boxes.close()
  await look.close()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
  return {
    figures: {
      stops,
      connections_cut: cut,
      acknowledged: load.acknowledged.size,
      ...Object.fromEntries([...load.refusals].map(([code, times]) => [`answered_${code}`, times])),
      slowest_ms: Math.round(load.slowestMs()),
    },
    broken,
  }
}
