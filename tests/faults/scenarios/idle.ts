import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask, next, start } from '../../bench/sockets/processes.ts'
import { serviceDatabase } from '../../lib/service-database.ts'
import { untilWorkersAnswer, workersOf } from '../../process/workers.ts'
import { within } from '../limits.ts'
import { call, type Report } from '../outcomes.ts'
import { residentMb, startService } from '../service-process.ts'
import { addEntry, prepareSite, publish, type Site, TYPE } from '../site.ts'
import { openLook } from '../table.ts'

const WORKERS = 2
const POOL_SIZE = 5
const MAX_KB_EACH = 60
const MAX_RSS_MB = 800
const MAX_P95_MS = within(100)
const MAX_BROADCAST_MS = within(2_000)
const MAX_RECONNECT_S = within(60_000) / 1_000
const BROADCASTS = 5
/** The first ones make a process compile and grow; they are not what one more costs. */
const WARM_UP = 200

const CONNECTIONS = `select count(*) from pg_stat_activity
  where datname = current_database() and application_name like 'stoa-cms%'`

/**
 * Ten thousand browsers of websites wait for what is published, at two workers, while pages are read: what each costs, how soon
 * all are notified, what readers notice, and what happens when all of them connect again at once.
 */
export const idle = async ({ connections = 10_000, readsPerSecond = 50, seconds = 30 } = {}): Promise<Report> => {
  const database = await serviceDatabase('cms')
  const env = { CMS_DATABASE_URL: database.url, WORKERS: String(WORKERS), DB_POOL_SIZE: String(POOL_SIZE) }
  const service = await startService('cms', env)
  const look = openLook(database.url)
  const site = await prepareSite(service.url)
  await untilWorkersAnswer(`${service.url}/api/auth/status`, WORKERS)
  await publish(service.url, site, await addEntry(service.url, site, 'To be read'))
  const readFor = (ms: number) => readPages(service.url, site, { perSecond: readsPerSecond, ms })
  const memory = () => workersOf(service.pid).reduce((sum, pid) => sum + residentMb(pid), 0)

  await end(await waiting(service.url, site, { count: WARM_UP, address: 2 }))
  const calm = await readFor((seconds * 1_000) / 3)
  const before = memory()
  const first = await waiting(service.url, site, { count: connections, address: 3 })
  const after = memory()
  const busy = await readFor(seconds * 1_000)
  const delays = await broadcasts(service.url, site, first)
  const clients = await look.count(CONNECTIONS)
  await end(first)
  const again = await waiting(service.url, site, { count: connections, address: 5 })
  delays.push(...(await broadcasts(service.url, site, again)))
  await end(again)

  const kbEach = ((after - before) * 1_024) / connections
  const slowest = Math.max(...delays)
  const broken = busy.failed + calm.failed === 0 ? [] : [`${busy.failed + calm.failed} reads failed`]
  if (kbEach > MAX_KB_EACH) broken.push(`each costs ${kbEach.toFixed(1)} KB`)
  if (after > MAX_RSS_MB) broken.push(`the workers have ${Math.round(after)} MB`)
  // On a busy machine readers wait longer anyway.
  if (busy.p95 > Math.max(MAX_P95_MS, 2 * calm.p95)) broken.push(`readers waited ${Math.round(busy.p95)} ms`)
  if (slowest > MAX_BROADCAST_MS) broken.push(`somebody was notified after ${slowest} ms`)
  if (again.seconds > MAX_RECONNECT_S) broken.push(`to connect again took ${Math.round(again.seconds)} s`)
  if (clients > WORKERS * (POOL_SIZE + 1)) broken.push(`${clients} database connections`)
  if (service.hasExited()) broken.push('the service ended')
  await service.stop()
  await look.close()
  await database.drop()
  return {
    figures: {
      connections,
      workers: WORKERS,
      opened_s: first.seconds.toFixed(1),
      kb_each: kbEach.toFixed(1),
      mb: Math.round(after),
      calm_p95_ms: Math.round(calm.p95),
      p95_ms: Math.round(busy.p95),
      broadcast_ms: delays.join('/'),
      reconnected_s: again.seconds.toFixed(1),
      database_connections: clients,
    },
    broken,
  }
}

type Waiting = { process: ChildProcess; seconds: number }

/** Clients in a process of their own, so that they do not keep readers waiting; `address` is the last number of their first one. */
const waiting = async (
  url: string,
  { key }: Site,
  { count, address }: { count: number; address: number },
): Promise<Waiting> => {
  const child = start('clients.ts', [url, key, String(count), String(address)])
  const { seconds } = await next(child, 'open')
  return { process: child, seconds }
}

/** All of them are gone at once, as when a proxy restarts. */
const end = async ({ process: child }: Waiting): Promise<void> => {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** From the request to publish until the last one has received it. */
const broadcasts = async (url: string, site: Site, { process: child }: Waiting): Promise<number[]> => {
  const times: number[] = []
  for (let round = 0; round < BROADCASTS; round += 1) {
    const id = await addEntry(url, site, `Broadcast ${child.pid} ${round}`)
    await ask(child, 'expect', 'expecting')
    const received = next(child, 'received')
    const began = Date.now()
    await publish(url, site, id)
    times.push((await received).last - began)
  }
  return times
}

const readPages = async (
  url: string,
  { key }: Site,
  { perSecond, ms }: { perSecond: number; ms: number },
): Promise<{ p95: number; failed: number }> => {
  const reads: ReturnType<typeof call>[] = []
  for (const over = performance.now() + ms; performance.now() < over; ) {
    reads.push(call(`${url}/content/${TYPE}?limit=5`, { headers: { 'x-api-key': key } }))
    await sleep(1_000 / perSecond)
  }
  const outcomes = await Promise.all(reads)
  const times = outcomes.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b)
  return {
    p95: times[Math.floor(times.length * 0.95)] ?? 0,
    failed: outcomes.filter(({ status }) => status !== 200).length,
  }
}
