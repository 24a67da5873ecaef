import { readdirSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../lib/free-port.ts'
import { serviceDatabase } from '../../lib/service-database.ts'
import { checkEntries, startEntryLoad } from '../entry-load.ts'
import { type MailGround, openMailGround } from '../mail-ground.ts'
import { startMailLoad } from '../mail-load.ts'
import { isSuccess, type Report } from '../outcomes.ts'
import { until } from '../readiness.ts'
import { residentMb, type ServiceProcess, startService } from '../service-process.ts'
import { prepareSite } from '../site.ts'
import { openLook } from '../table.ts'

/** `SOAK_MINUTES=1440 npm run faults -- soak` is a day. */
const MINUTES = Number(process.env.SOAK_MINUTES ?? 15)
const SAMPLE_MS = 5_000
const MAX_GROWTH_MB_PER_HOUR = 1
/** In its first hours a process takes more from the system than it uses: only a long run is held to that. */
const LONG_MINUTES = 360
/** Between two collections the memory of a process goes up and down by this much. */
const NOISE_MB = 30
const SPARE_FILES = 10
const MAX_LOOP_MS = 50
/** About a third of what one core does beside its database. */
const LOAD = { mail: 10, reads: 20, cmsWrites: 5, cmsReads: 30 }

type Sample = { mb: number; usedMb: number; files: number; loopMs: number }
type Soaked = { name: string; service: ServiceProcess; metricsPort: number; samples: Sample[] }

/** Both services under a steady load for long: memory, open files and the time that requests wait for each other stay. */
export const soak = async ({ minutes = MINUTES } = {}): Promise<Report> => {
  const [cmsMetrics, mailMetrics] = [await freePort(), await freePort()]
  const database = await serviceDatabase('cms')
  const env = { CMS_DATABASE_URL: database.url, METRICS_PORT: String(cmsMetrics) }
  const cms = await startService('cms', env)
  const site = await prepareSite(cms.url)
  const look = openLook(database.url)
  const ground = await openMailGround({ env: { MAIL_METRICS_PORT: String(mailMetrics) } })
  const soaked: Soaked[] = [
    { name: 'cms', service: cms, metricsPort: cmsMetrics, samples: [] },
    { name: 'mail', service: ground.service, metricsPort: mailMetrics, samples: [] },
  ]
  const delay = monitorEventLoopDelay()
  delay.enable()
  const mail = startMailLoad({ port: ground.smtpPort, recipients: ground.boxes.emails, perSecond: LOAD.mail })
  await until('a first message', () => mail.acknowledged.size > ground.boxes.emails.length)
  const reader = startReader(ground)
  const entries = startEntryLoad(site, {
    writesPerSecond: LOAD.cmsWrites,
    readsPerSecond: LOAD.cmsReads,
    url: () => cms.url,
  })
  for (const over = performance.now() + minutes * 60_000; performance.now() < over; ) {
    await sleep(SAMPLE_MS)
    for (const each of soaked) each.samples.push(await sample(each))
  }
  const ownLoopMs = delay.percentile(99) / 1e6
  const outcomes = await entries.stop()
  await mail.finish()
  const reads = await reader.stop()
  const broken = [...(await ground.boxes.check(mail)), ...(await checkEntries(look, entries))]
  const failed = outcomes.filter((outcome) => !isSuccess(outcome)).length
  if (failed > 0) broken.push(`${failed} requests failed`)
  broken.push(...[...mail.refusals].map(([code, count]) => `${count} messages were answered ${code}`))
  const judged = soaked.map((each) => judge(each, minutes, ownLoopMs))
  broken.push(...judged.flatMap((each) => each.broken), ...(await ground.close()))
  if ((await cms.stop()) !== 0) broken.push('the CMS did not end well')
  await look.close()
  await database.drop()
  return {
    figures: Object.assign(
      {
        minutes,
        requests: outcomes.length,
        messages: mail.acknowledged.size,
        reads,
        own_loop_p99_ms: ownLoopMs.toFixed(),
      },
      ...judged.map(({ figures }) => figures),
    ),
    broken,
  }
}

const sample = async ({ service, metricsPort }: Soaked): Promise<Sample> => {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  const figure = (name: string) => Number(new RegExp(`^${name}\\{[^}]*\\} (\\S+)`, 'm').exec(text)?.[1])
  return {
    mb: residentMb(service.pid),
    usedMb: (figure('nodejs_heap_size_used_bytes') + figure('nodejs_external_memory_bytes')) / 1_048_576,
    files: readdirSync(`/proc/${service.pid}/fd`).length,
    loopMs: figure('nodejs_eventloop_lag_p99_seconds') * 1_000,
  }
}

/** The first half warms up; the lowest of the last quarter is compared with the lowest of the one before. */
const judge = ({ name, samples }: Soaked, minutes: number, ownLoopMs: number): Report => {
  const quarter = Math.floor(samples.length / 4)
  const [third, last] = [samples.slice(2 * quarter, 3 * quarter), samples.slice(3 * quarter)]
  const grew = (of: (sample: Sample) => number) => Math.min(...last.map(of)) - Math.min(...third.map(of))
  const loopMs = last.map((each) => each.loopMs).sort((a, b) => a - b)[last.length >> 1] ?? 0
  const moreFiles = Math.max(...last.map(({ files }) => files)) - Math.max(...third.map(({ files }) => files))
  const [grewMb, usedMb] = [grew(({ mb }) => mb), grew((each) => each.usedMb)]
  const most = (MAX_GROWTH_MB_PER_HOUR * minutes) / 60 / 4 + NOISE_MB
  const broken: string[] = []
  if (usedMb > most) broken.push(`${name}: memory in use grew by ${Math.round(usedMb)} MB`)
  if (minutes >= LONG_MINUTES && grewMb > most) broken.push(`${name}: memory grew by ${Math.round(grewMb)} MB`)
  if (moreFiles > SPARE_FILES) broken.push(`${name}: ${moreFiles} more files are open`)
  // On a busy machine everybody waits for the processor.
  if (loopMs > Math.max(MAX_LOOP_MS, 2 * ownLoopMs)) broken.push(`${name}: requests wait ${Math.round(loopMs)} ms`)
  return {
    figures: {
      [`${name}_mb`]: Math.round(last.at(-1)?.mb ?? 0),
      [`${name}_grew_mb`]: Math.round(grewMb),
      [`${name}_used_grew_mb`]: Math.round(usedMb),
      [`${name}_files`]: last.at(-1)?.files ?? 0,
      [`${name}_more_files`]: moreFiles,
      [`${name}_loop_p99_ms`]: Math.round(loopMs),
    },
    broken,
  }
}

/** Somebody who looks at a folder and its newest message, so often a second. */
const startReader = (ground: MailGround) => {
  let [isOver, reads] = [false, 0]
  const done = (async () => {
    while (!isOver) {
      const client = await ground.signIn()
      // A connection for a minute or so, then another one.
      for (let at = 0; at < 60 * LOAD.reads && !isOver; at += 1) {
        await client.say(at % 2 === 0 ? 'SELECT INBOX' : 'FETCH * (UID FLAGS ENVELOPE)')
        reads += 1
        await sleep(1_000 / LOAD.reads)
      }
      client.close()
    }
  })()
  return {
    async stop(): Promise<number> {
      isOver = true
      await done
      return reads
    },
  }
}
