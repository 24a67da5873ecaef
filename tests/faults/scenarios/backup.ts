import { mkdtemp, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { blobPath } from '@stoa/kit/blobs/blobs.ts'
import { openLocalBlobs } from '@stoa/kit/blobs/local.ts'
import { openDatabase } from '@stoa/kit/db/database.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { sweepBlobs } from '@stoa/mail/store/blobs/blobs.ts'
import type { Tables } from '@stoa/mail/tables.ts'
import { freshDatabase, type TestDatabase } from '../../lib/cluster.ts'
import { startFakeS3 } from '../../lib/fake-s3.ts'
import { freePort } from '../../lib/free-port.ts'
import { serviceDatabase } from '../../lib/service-database.ts'
import type { Program } from '../../process/processes.ts'
import { startBackupTask } from '../backup/backup-task.ts'
import { checkFiles, differences, inBucket, joinSnapshot, readFingerprint } from '../backup/comparison.ts'
import { growFiles, growRows } from '../backup/grow.ts'
import { startEntryLoad } from '../entry-load.ts'
import { openMailboxes, startMailLoad } from '../mail-load.ts'
import { must, type Report } from '../outcomes.ts'
import { until } from '../readiness.ts'
import { SECRET, type ServiceProcess, startService } from '../service-process.ts'
import { prepareSite } from '../site.ts'
import { openLook } from '../table.ts'

type Options = {
  services?: readonly Name[]
  kills?: number
  /** Besides what the load writes. */
  rows?: number
  files?: number
  /** What each service is given to write while all this goes on. */
  writesPerSecond?: number
}
type Name = 'cms' | 'mail'

const BLOB_TABLES: Record<Name, readonly string[]> = {
  cms: ['media', 'rendition', 'social_rendition'],
  mail: ['blob_link'],
}

/**
 * The drill: services in use are backed up, the backup is killed at random moments, made again, checked and restored. What
 * is restored is what the source had at the moment of the backup, table by table and file by file. The files come from a
 * folder and go to an object store.
 */
export const backup = async ({
  services = ['cms', 'mail'],
  kills = 20,
  rows = 1_000_000,
  files = 20_000,
  writesPerSecond = 20,
}: Options = {}): Promise<Report> => {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-faults-backup-'))
  const place = join(folder, 'backups')
  const source = await openInstance(services, join(folder, 'source'), serviceDatabase)
  const bucket = await startFakeS3()
  const target = await openInstance(services, join(folder, 'target'), freshDatabase, {
    STORAGE_DRIVER: 'object',
    OBJECT_ENDPOINT: bucket.endpoint,
    OBJECT_BUCKET: bucket.bucket,
    OBJECT_REGION: bucket.region,
    OBJECT_ACCESS_KEY: bucket.accessKey,
    OBJECT_SECRET_KEY: bucket.secretKey,
  })
  const load = await startLoad(source, writesPerSecond)
  await grow(source, { rows, files })
  const broken: string[] = []
  const run = (task: 'backup' | 'check' | 'restore', { env }: Instance) =>
    startBackupTask(task, [place, ...services], env)

  const began = performance.now()
  const first = run('backup', source)
  if ((await first.ends()) !== 0) throw new Error(`the first backup failed:\n${first.output()}`)
  const firstMs = performance.now() - began
  const killed = await killBackups(source, { start: () => run('backup', source), kills, firstMs })
  if (services.includes('mail')) broken.push(...(await checkCollected(source)))

  const snapshots = await Promise.all(source.databases.map(({ url }) => joinSnapshot(url)))
  const last = run('backup', source)
  const expected = await Promise.all(snapshots.map((snapshot) => snapshot.fingerprint()))
  if ((await last.ends()) !== 0) broken.push(`the last backup failed: ${last.output()}`)
  await Promise.all(snapshots.map((snapshot) => snapshot.close()))
  const acknowledged = await load.stop()

  const checkBegan = performance.now()
  const check = run('check', source)
  if ((await check.ends()) !== 0) broken.push(`the check found: ${check.output()}`)
  const checkMs = performance.now() - checkBegan
  // A restore checks the whole backup, too, and then takes at least as long again.
  let restoreBegan = performance.now()
  const cut = run('restore', target)
  await Promise.race([cut.ends(), sleep(Math.random() * 2 * checkMs, undefined, { ref: false })])
  cut.child.kill('SIGKILL')
  const isCut = (await cut.ends()) === 'SIGKILL'
  if (isCut) restoreBegan = performance.now()
  const restore = isCut ? run('restore', target) : cut
  if ((await restore.ends()) !== 0) broken.push(`the restore failed: ${restore.output()}`)
  const restoreMs = performance.now() - restoreBegan

  let restoredFiles = 0
  for (const [index, name] of services.entries()) {
    const url = target.databases[index]?.url ?? ''
    broken.push(...differences(expected[index] ?? {}, await readFingerprint(url)))
    const tables = BLOB_TABLES[name]
    const checked = await checkFiles(url, { read: inBucket(bucket, name), tables })
    restoredFiles += checked.files
    broken.push(...checked.wrong)
    const service = await startService(name, target.env)
    await must(`${service.url}/readyz`)
    await service.stop()
  }
  await target.close()
  await source.close()
  await bucket.close()
  await rm(folder, { recursive: true, force: true })
  return {
    figures: {
      acknowledged,
      rows: expected
        .flatMap((each) => Object.values(each))
        .reduce((total, text) => total + Number.parseInt(text, 10), 0),
      first_backup_s: (firstMs / 1_000).toFixed(1),
      killed,
      check_s: (checkMs / 1_000).toFixed(1),
      restore_s: (restoreMs / 1_000).toFixed(1),
      restore_cut: String(isCut),
      tables: expected.reduce((total, each) => total + Object.keys(each).length, 0),
      files: restoredFiles,
    },
    broken,
  }
}

type Instance = Awaited<ReturnType<typeof openInstance>>

const openInstance = async (
  services: readonly Name[],
  folder: string,
  open: (name: Name) => Promise<TestDatabase>,
  storage: Record<string, string> = {},
) => {
  const databases = await Promise.all(services.map(open))
  const looks = databases.map(({ url }) => openLook(url))
  const urls = services.map((name, index) => [`${name.toUpperCase()}_DATABASE_URL`, databases[index]?.url ?? ''])
  const own = { DATA_DIR: folder, SECRET, ...storage }
  const env: Record<string, string> & { DATA_DIR: string } = { ...Object.fromEntries(urls), ...own }
  return {
    services,
    folder,
    databases,
    looks,
    env,
    async close() {
      for (const look of looks) await look.close()
      for (const database of databases) await database.drop()
    },
  }
}

/** People and other servers, who go on while the backup is made. */
const startLoad = async ({ services, env, databases }: Instance, writesPerSecond: number) => {
  const running: ServiceProcess[] = []
  const stops: (() => Promise<number>)[] = []
  const urlOf = (name: Name): string => databases[services.indexOf(name)]?.url ?? ''
  if (services.includes('cms')) {
    const cms = await startService('cms', env)
    running.push(cms)
    const load = startEntryLoad(await prepareSite(cms.url), { writesPerSecond, url: () => cms.url })
    stops.push(async () => {
      await load.stop()
      return load.created.size
    })
  }
  if (services.includes('mail')) {
    const port = await freePort()
    const quiet = { MAIL_ROLES: 'smtp', LIMIT_EXEMPT: '127.0.0.0/8', DNS_RESOLVERS: '127.0.0.1:1' }
    running.push(await startService('mail', { ...env, ...quiet, SMTP_PORT: String(port) }))
    const boxes = await openMailboxes(urlOf('mail'), 3)
    const load = startMailLoad({ port, recipients: boxes.emails, perSecond: writesPerSecond })
    await until('a first message', () => load.acknowledged.size > 0)
    stops.push(async () => {
      await load.finish()
      await boxes.close()
      return load.acknowledged.size
    })
  }
  return {
    /** How much was acknowledged. */
    async stop(): Promise<number> {
      const counts = await Promise.all(stops.map((stop) => stop()))
      for (const service of running) await service.stop()
      return counts.reduce((total, count) => total + count, 0)
    },
  }
}

/** Years of use, by hand. */
const grow = async ({ services, looks, folder }: Instance, { rows, files }: { rows: number; files: number }) => {
  for (const [index, name] of services.entries()) {
    const look = looks[index]
    if (!look) continue
    await growRows(look, name, rows)
    await growFiles(look, name, { folder: join(folder, 'blobs', name), files })
  }
}

type Kills = { start(): Program; kills: number; firstMs: number }

/** Kills backups at random moments; gives how many had not ended before. Files that one has copied are known to the next. */
const killBackups = async ({ looks }: Instance, { start, kills, firstMs }: Kills): Promise<number> => {
  let usualMs = firstMs
  let killed = 0
  for (let kill = 0; kill < kills; kill += 1) {
    const began = performance.now()
    const program = start()
    await Promise.race([program.ends(), sleep(Math.random() * usualMs, undefined, { ref: false })])
    program.child.kill('SIGKILL')
    if ((await program.ends()) === 'SIGKILL') killed += 1
    else usualMs = performance.now() - began
    // What two minutes do.
    for (const look of looks) await look.rows('update backup_run set lease_until = now() where finished_at is null')
  }
  return killed
}

const DAY_MS = 86_400_000

/** A file that nobody needs is collected again, whatever died before. */
const checkCollected = async ({ databases, services, folder }: Instance): Promise<string[]> => {
  const blobs = await openLocalBlobs(join(folder, 'blobs/mail'))
  const { key } = await blobs.put(Buffer.from('nobody needs this'), { maxBytes: 100 })
  const log = createLogger({ name: 'faults', level: 'silent' })
  const url = databases[services.indexOf('mail')]?.url ?? ''
  const database = openDatabase<Tables>({ url, poolSize: 2, log })
  const longAgo = new Date(Date.now() - 2 * DAY_MS)
  await utimes(join(folder, 'blobs/mail', blobPath(key)), longAgo, longAgo)
  await sweepBlobs(database, blobs, { now: new Date(), graceMs: DAY_MS })
  await database.close()
  return (await blobs.head(key)) ? ['an unused file is not collected after a backup was killed'] : []
}
