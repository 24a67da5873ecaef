import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ensureDatabase } from '@stoa/kit/postgres/databases.ts'
import { freePort } from '../../lib/free-port.ts'
import { installPackage } from '../../lib/install.ts'
import { findPgBouncer, isNewer, type PgBouncer, startPgBouncer, versionOf } from '../../lib/pgbouncer.ts'
import { startReplicatedServer } from '../../lib/standby.ts'
import { checkEntries, startEntryLoad } from '../entry-load.ts'
import { openMailboxes, startMailLoad } from '../mail-load.ts'
import { answersInTime, must, type Report, summary } from '../outcomes.ts'
import { until, untilReady } from '../readiness.ts'
import { startService, startTwo } from '../service-process.ts'
import { addEntry, prepareSite, publish, TYPE } from '../site.ts'
import { listen, ticketFor } from '../sockets.ts'
import { openLook } from '../table.ts'

/** Both services through PgBouncer, which is killed under load: session mode, and transaction mode where it can do that. */
export const pgBouncer = async ({ restarts = 3, perSecond = 20 } = {}): Promise<Report> => {
  if (!findPgBouncer()) installPackage('PgBouncer', ['pgbouncer'], (line) => process.stdout.write(`${line}\n`))
  const program = findPgBouncer()
  if (!program) return { figures: {}, broken: ["PgBouncer isn't installed"] }
  const version = versionOf(program)
  const session = await through({ program, mode: 'session', restarts, perSecond })
  const transaction = isNewer(version) ? await through({ program, mode: 'transaction', restarts, perSecond }) : null
  return {
    figures: {
      version: version.join('.'),
      restarts,
      ...session.figures,
      transaction_mode: transaction ? JSON.stringify(transaction.figures) : 'untried',
    },
    broken: [...session.broken, ...(transaction?.broken ?? [])],
  }
}

type Options = { program: string; mode: 'session' | 'transaction'; restarts: number; perSecond: number }

const through = async ({ program, mode, restarts, perSecond }: Options): Promise<Report> => {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-faults-'))
  const server = await startReplicatedServer()
  const urls = [await ensureDatabase(server, 'stoa_cms'), await ensureDatabase(server, 'stoa_mail')]
  const bouncer = await startPgBouncer({ program, mode, urls })
  const [cmsUrl = '', mailUrl = ''] = urls
  const direct = (name: string, url: string) => (mode === 'transaction' ? { [name]: url } : {})
  const [cms, otherCms] = await startTwo({
    CMS_DATABASE_URL: past(cmsUrl, bouncer),
    ...direct('CMS_DATABASE_DIRECT_URL', cmsUrl),
  })
  const port = await freePort()
  const mail = await startService('mail', {
    MAIL_DATABASE_URL: past(mailUrl, bouncer),
    ...direct('MAIL_DATABASE_DIRECT_URL', mailUrl),
    SMTP_PORT: String(port),
    DATA_DIR: folder,
    LIMIT_EXEMPT: '127.0.0.0/8',
    DNS_RESOLVERS: '127.0.0.1:1',
  })
  const look = openLook(cmsUrl)
  const boxes = await openMailboxes(mailUrl, 3)
  const site = await prepareSite(cms.url)
  const entries = startEntryLoad(site, { writesPerSecond: perSecond, readsPerSecond: perSecond, url: () => cms.url })
  const load = startMailLoad({ port, recipients: boxes.emails, perSecond })
  await until('both are at work', () => entries.published.size > 0 && load.acknowledged.size > 0)
  for (let restart = 0; restart < restarts; restart += 1) {
    await sleep(2_000)
    await bouncer.restart()
    for (const { url } of [cms, otherCms, mail]) await untilReady(url)
  }
  const outcomes = await entries.stop()
  await load.finish()
  const broken = [
    ...answersInTime(outcomes),
    ...(await checkEntries(look, entries)),
    ...(await boxes.check(load)),
    ...([cms, otherCms, mail].some((service) => service.hasExited()) ? ['a process ended'] : []),
  ]
  const socket = await listen(otherCms.url, await ticketFor(otherCms.url, site.token), `content:${TYPE}`)
  const id = await addEntry(cms.url, site, 'Heard by the other process')
  await publish(cms.url, site, id)
  const delay = await socket.receives('entry.published', id).catch(() => Number.POSITIVE_INFINITY)
  socket.close()
  if (!Number.isFinite(delay)) broken.push('a publication at the other process was not received')
  await buildIndex(cms.url, site.token, look)
  await Promise.all([cms, otherCms, mail].map((service) => service.stop()))
  await boxes.close()
  await look.close()
  await bouncer.close()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
  return {
    figures: { ...summary(outcomes), mail: load.acknowledged.size, notified_ms: Math.round(delay) },
    broken,
  }
}

const past = (url: string, { port }: PgBouncer): string => Object.assign(new URL(url), { port: String(port) }).href

/** With a lock and a setting of a session, outside of any transaction. */
const buildIndex = async (url: string, token: string, look: ReturnType<typeof openLook>): Promise<void> => {
  const fields = [{ key: 'weight', type: 'number', indexed: true }]
  await must(`${url}/api/types`, { method: 'POST', token, body: { name: 'parcel', label: 'Parcel', fields } })
  const text = `select count(*) from pg_indexes where tablename = 'entry' and indexdef like '%weight%'`
  await until('the index is built', async () => (await look.count(text)) > 0)
}
