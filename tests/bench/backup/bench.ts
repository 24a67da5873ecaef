import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inParallel } from '@stoa/kit/backup/stored-blobs.ts'
import { openLocalBlobs } from '@stoa/kit/blobs/local.ts'
import { ensureDatabase } from '@stoa/kit/postgres/databases.ts'
import { startPostgres } from '@stoa/kit/postgres/server.ts'
import { startBackupTask } from '../../faults/backup/backup-task.ts'
import { growFiles, growRows } from '../../faults/backup/grow.ts'
import { SECRET, startService } from '../../faults/service-process.ts'
import { openLook } from '../../faults/table.ts'
import { treeCpuSeconds } from '../../lib/cpu.ts'
import { freePort } from '../../lib/free-port.ts'
import type { Program } from '../../process/processes.ts'
import { fillSite, PICTURES } from '../delivery/seed.ts'
import { bytesIn } from '../files.ts'
import { createGoals, type Goals } from '../goals.ts'
import { cmsWork } from './cms-work.ts'
import { mailWork } from './mail-work.ts'
import { openSteady, percentile, type Times } from './steady.ts'

/** Of the CMS. */
const ENTRIES = 10_000
const PASSAGES = 6
/** Of each service, besides. */
const ROWS = 1_000_000
const FILES = 10_000
const WARM_UP_MS = 10_000
const WITHOUT_MS = 30_000
/** Nobody notices so little, whatever it was before. */
const UNNOTICED_MS = 100
const MOST_TIMES = 3

/**
 * How long visitors, writers, other mail servers and readers wait while `npm run backup` copies both services to a folder of
 * the same disk, beside how long they wait without. By the clock: what is asked is who waits for whom.
 */
export const run = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-backup-'))
  const postgres = await startPostgres({ folder: join(folder, 'postgres') })
  const urls = { cms: await ensureDatabase(postgres, 'cms'), mail: await ensureDatabase(postgres, 'mail') }
  const env = { DATA_DIR: folder, SECRET, CMS_DATABASE_URL: urls.cms, MAIL_DATABASE_URL: urls.mail }
  const [smtpPort, imapPort] = [await freePort(), await freePort()]
  await fillSite(urls.cms, ENTRIES, { passages: PASSAGES })
  const cms = await startService('cms', env)
  const mail = await startService('mail', {
    ...env,
    SMTP_PORT: String(smtpPort),
    IMAPS_PORT: String(imapPort),
    LIMIT_EXEMPT: '127.0.0.0/8',
    DNS_RESOLVERS: '127.0.0.1:1',
  })
  await grow(urls, join(folder, 'blobs'))
  const steady = await openSteady([
    ...(await cmsWork(cms.url, urls.cms)),
    ...(await mailWork({ url: mail.url, databaseUrl: urls.mail, smtpPort, imapPort })),
  ])
  const goals = createGoals()
  try {
    await steady.until(sleep(WARM_UP_MS))
    const without = await steady.until(sleep(WITHOUT_MS))
    const place = join(folder, 'backups')
    const backup = watch(startBackupTask('backup', [place], env))
    const [during, { seconds, cpu, peakMb, output }] = await Promise.all([steady.until(backup), backup])
    process.stdout.write(`${output}\n`)
    describe({ without, during, goals })
    process.stdout.write(
      `the backup: ${seconds.toFixed(1)} s on ${availableParallelism()} cores, ${cpu.toFixed(1)} s of CPU, ` +
        `${mb(await bytesIn(place))} MB, at most ${peakMb.toFixed(0)} MB of memory\n`,
    )
    goals.finish()
  } finally {
    steady.close()
    await mail.stop()
    await cms.stop()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Years of use. */
const grow = async (urls: Record<'cms' | 'mail', string>, blobs: string): Promise<void> => {
  for (const name of ['cms', 'mail'] as const) {
    const look = openLook(urls[name])
    await growRows(look, name, ROWS)
    await growFiles(look, name, { folder: join(blobs, name), files: FILES })
    await look.rows('vacuum analyze')
    await look.close()
  }
  const store = await openLocalBlobs(join(blobs, 'cms'))
  await inParallel(Array(PICTURES).keys(), 8, (at) => store.put(Buffer.from(String(at + 1)), { maxBytes: 10 }))
}

type Watched = { seconds: number; cpu: number; peakMb: number; output: string }

const LOOK_MS = 250

/** Its time, its work, and the most memory that it had: the kernel keeps these until the process ends. */
const watch = async (program: Program): Promise<Watched> => {
  const began = performance.now()
  let [cpu, peakMb] = [0, 0]
  const timer = setInterval(() => {
    cpu = Math.max(cpu, treeCpuSeconds(program.pid))
    peakMb = Math.max(peakMb, highWaterMb(program.pid))
  }, LOOK_MS)
  const code = await program.ends().finally(() => clearInterval(timer))
  const output = program.output().trim()
  if (code !== 0) throw new Error(`the backup ended with ${code}:\n${output}`)
  return { seconds: (performance.now() - began) / 1_000, cpu, peakMb, output }
}

const highWaterMb = (pid: number): number => {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024
  } catch {
    return 0 // it has just ended
  }
}

type Measured = { without: Map<string, Times>; during: Map<string, Times>; goals: Goals }

const WIDTH = 32

const describe = ({ without, during, goals }: Measured): void => {
  process.stdout.write(`${'milliseconds'.padEnd(WIDTH)} without: p50, p95, p99   during: p50, p95, p99   times (p95)\n`)
  for (const [name, before] of without) {
    const times = during.get(name) ?? []
    const [was, is] = [percentile(before, 0.95), percentile(times, 0.95)]
    const line = `${`${name}:`.padEnd(WIDTH)} ${columns(before)}  ${columns(times)}   ${(is / was).toFixed(2).padStart(6)}`
    goals.check(line, is, Math.max(was * MOST_TIMES, UNNOTICED_MS))
  }
}

const columns = (times: Times): string =>
  [0.5, 0.95, 0.99].map((part) => percentile(times, part).toFixed(1).padStart(7)).join(' ')

const mb = (bytes: number): string => (bytes / 1e6).toFixed(0)
