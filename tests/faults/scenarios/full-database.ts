import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureDatabase } from '@stoa/kit/postgres/databases.ts'
import { type PostgresServer, startPostgres } from '@stoa/kit/postgres/server.ts'
import { freePort } from '../../lib/free-port.ts'
import { checkEntries, startEntryLoad } from '../entry-load.ts'
import { within } from '../limits.ts'
import { openMailboxes, startMailLoad } from '../mail-load.ts'
import { answersInTime, countOf, isSuccess, type Report } from '../outcomes.ts'
import { until } from '../readiness.ts'
import { startService } from '../service-process.ts'
import { prepareSite } from '../site.ts'
import { mountSmallDisk } from '../small-disk.ts'
import { openLook } from '../table.ts'

/** The databases of both services with what they need to begin with, and some room. */
const DISK_MEGABYTES = 320
/** PostgreSQL keeps no more of its log than fits. */
const LOG_SETTINGS = [`min_wal_size = '32MB'`, `max_wal_size = '64MB'`]
/** So much is refused before there is room again. */
const REFUSED = 5
const MAX_RECOVERY_MS = within(15_000)
/** RFC 5321 §4.2.2 and RFC 3463 §3.4: the sender tries again. */
const PASSING = ['451', '452']

/**
 * The disk of PostgreSQL fills up under both services, and is freed again. Tables that cannot grow cost what is being
 * written; a log that cannot grow ends the server. Neither loses what was acknowledged.
 */
export const fullDatabase = async ({ rounds = 4, perSecond = 10 } = {}): Promise<Report> => {
  const closing: (() => unknown)[] = []
  try {
    return await run((end) => void closing.push(end), { rounds, perSecond })
  } finally {
    for (const end of closing.toReversed()) await end()
  }
}

const run = async (
  atEnd: (end: () => unknown) => void,
  { rounds, perSecond }: { rounds: number; perSecond: number },
) => {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-faults-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  const disk = mountSmallDisk(join(folder, 'disk'), DISK_MEGABYTES)
  atEnd(disk.close)
  const server = await startPostgres({ folder: join(folder, 'disk', 'postgres') })
  atEnd(server.stop)
  await keepLogSmall(server)
  const [cmsUrl, mailUrl] = [await ensureDatabase(server, 'stoa_cms'), await ensureDatabase(server, 'stoa_mail')]
  const port = await freePort()
  const cms = await startService('cms', { CMS_DATABASE_URL: cmsUrl, DATA_DIR: join(folder, 'data') })
  atEnd(cms.stop)
  const mail = await startService('mail', {
    MAIL_DATABASE_URL: mailUrl,
    DATA_DIR: join(folder, 'data'),
    SMTP_PORT: String(port),
    LIMIT_EXEMPT: '127.0.0.0/8',
    DNS_RESOLVERS: '127.0.0.1:1',
  })
  atEnd(mail.stop)
  const boxes = await openMailboxes(mailUrl, 3)
  atEnd(boxes.close)
  const look = openLook(cmsUrl)
  atEnd(look.close)
  const site = await prepareSite(cms.url)
  const incoming = startMailLoad({ port, recipients: boxes.emails, perSecond })
  const writing = startEntryLoad(site, { writesPerSecond: perSecond, url: () => cms.url })
  const moving = () => [incoming.acknowledged.size, writing.created.size]
  const refused = () => [
    [...incoming.refusals.values()].reduce((sum, count) => sum + count, 0),
    writing.outcomes.filter((outcome) => !isSuccess(outcome)).length,
  ]
  const untilMore = (what: string, counts: () => number[]) => {
    const before = counts()
    return until(what, () => counts().every((count, at) => count >= (before[at] ?? 0) + REFUSED))
  }
  let [slowest, ended] = [0, 0]
  for (let round = 0; round < rounds; round += 1) {
    await untilMore('everything is acknowledged', moving)
    disk.fill()
    if (round % 2 === 1) ended += await endLog(server)
    await untilMore('mail and entries are refused', refused)
    disk.free()
    slowest = Math.max(slowest, await untilMore('everything is acknowledged again', moving))
  }
  const outcomes = await writing.stop()
  await incoming.finish()
  const broken = [
    ...answersInTime(outcomes),
    ...(await checkEntries(look, writing)),
    ...(await boxes.check(incoming)),
    ...[...incoming.refusals.keys()]
      .filter((code) => !PASSING.includes(code))
      .map((code) => `a sender was answered ${code}`),
  ]
  if (slowest > MAX_RECOVERY_MS) broken.push(`a recovery took ${Math.round(slowest)} ms`)
  if (cms.hasExited() || mail.hasExited()) broken.push('a service ended instead of recovering')
  return {
    figures: {
      rounds,
      server_ended: ended,
      mail: incoming.acknowledged.size,
      mail_refused: [...incoming.refusals].map(([code, count]) => `${code}:${count}`).join(),
      mail_slowest_ms: Math.round(incoming.slowestMs()),
      entries: writing.created.size,
      unavailable: countOf(outcomes, 503),
      recovery_ms: Math.round(slowest),
    },
    broken,
  }
}

const keepLogSmall = async (server: PostgresServer): Promise<void> => {
  const admin = openLook(server.url('postgres'))
  try {
    for (const setting of LOG_SETTINGS) await admin.rows(`alter system set ${setting}`)
    await admin.rows('select pg_reload_conf()')
  } finally {
    await admin.close()
  }
}

/** The log goes on in new files until there is no room for one: PostgreSQL ends. Gives 1 when it did. */
const endLog = async (server: PostgresServer): Promise<number> => {
  const admin = openLook(server.url('postgres'))
  try {
    await until('the log has no room', async () => {
      // A switch does nothing while nothing was written since the last one
      const write = `select pg_logical_emit_message(false, 'faults', 'x'), pg_switch_wal()`
      return admin.rows(write).then(
        () => false,
        () => true,
      )
    })
    return 1
  } finally {
    await admin.close()
  }
}
