import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId } from '@stoa/kit/ids.ts'
import { ensureDatabase } from '@stoa/kit/postgres/databases.ts'
import { startPostgres } from '@stoa/kit/postgres/server.ts'
import { MAILBOX_PASSWORD } from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import { openMailboxes } from '../../faults/mail-load.ts'
import { startService } from '../../faults/service-process.ts'
import { addEntry, prepareSite, publish, TYPE } from '../../faults/site.ts'
import { treeCpuSeconds } from '../../lib/cpu.ts'
import { freePort } from '../../lib/free-port.ts'
import { untilWorkersAnswer } from '../../process/workers.ts'
import { loadAll } from '../delivery/load.ts'
import { createGoals, type Goals } from '../goals.ts'
import { median } from '../harness.ts'
import { openClient } from '../imap/client.ts'
import { openMix } from '../imap/mixed.ts'
import { numbered } from '../messages.ts'
import { sendAll } from '../smtp-load.ts'

/** A second process may cost this much more for each request. */
const MOST_CPU_RATIO = 1.1
const ENTRIES = 50
const CACHED = 20_000
const UNCACHED = 1_500
const MESSAGES = 600
const CONNECTIONS = 8
const MAILBOXES = 10
const IMAP_SECONDS = 5
const WARM_UPS = 4
const ROUNDS = 7

/** Does some work and gives how many operations that were. */
type Work = () => Promise<number>
/** A running service with the kinds of load that can be put on it. */
type Ground = { pid: number; workers: number; loads: Record<string, Work>; stop(): Promise<void> }
type Open = (url: string, workers: number, folder: string) => Promise<Ground>

/**
 * The same load on one process and on two workers in turns, the primary's work counted; PostgreSQL is left out.
 * `npm run bench -- scale cms` or `scale mail` measures one of the services.
 */
export const run = async (): Promise<void> => {
  const services: Record<string, Open> = { cms: openDelivery, mail: openMail }
  const wanted = process.argv[3]
  const folder = mkdtempSync(join(tmpdir(), 'bench-scale-'))
  const postgres = await startPostgres({ folder: join(folder, 'postgres') })
  const goals = createGoals()
  process.stdout.write(`scale: one process and two workers on ${availableParallelism()} cores\n`)
  try {
    for (const [name, open] of Object.entries(services)) {
      if (wanted !== undefined && wanted !== name) continue
      const start = async (workers: number) =>
        open(await ensureDatabase(postgres, `${name}_${workers}`), workers, join(folder, `${name}-${workers}`))
      const [one, two] = [await start(1), await start(2)]
      for (const load of Object.keys(one.loads)) await compare(goals, load, [one, two])
      await Promise.all([one.stop(), two.stop()])
    }
    goals.finish()
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** In short turns, so that a noisy moment hits both. */
const compare = async (goals: Goals, name: string, [one, two]: readonly [Ground, Ground]): Promise<void> => {
  for (const ground of [one, two]) await warmUp(ground, name)
  const rounds: [Measured, Measured][] = []
  for (let round = 0; round < ROUNDS; round += 1) rounds.push([await measure(one, name), await measure(two, name)])
  const middle = (read: (round: [Measured, Measured]) => number) => median(rounds.map(read))
  const [before, after] = [middle(([single]) => single.cost), middle(([, both]) => both.cost)]
  const [ratio, times] = [
    middle(([single, both]) => both.cost / single.cost),
    middle(([single, both]) => both.speed / single.speed),
  ]
  goals.check(
    `${name}: ${before.toFixed(3)} ms CPU each with one, ${after.toFixed(3)} with two; ${times.toFixed(2)} times the throughput; CPU ratio ${ratio.toFixed(2)}`,
    ratio,
    MOST_CPU_RATIO,
  )
}

/** Every worker gets as warm as the one process: each has its own compiler to convince. */
const warmUp = async ({ workers, loads }: Ground, name: string): Promise<void> => {
  for (let at = 0; at < WARM_UPS * workers; at += 1) await loads[name]?.()
}

/** Milliseconds of work for each operation, and operations in a second. */
type Measured = { cost: number; speed: number }

const measure = async ({ pid, loads }: Ground, name: string): Promise<Measured> => {
  const [cpu, began] = [treeCpuSeconds(pid), performance.now()]
  const operations = (await loads[name]?.()) ?? 0
  const seconds = (performance.now() - began) / 1_000
  return { cost: ((treeCpuSeconds(pid) - cpu) * 1_000) / operations, speed: operations / seconds }
}

const openDelivery: Open = async (url, workers) => {
  const service = await startService('cms', { CMS_DATABASE_URL: url, WORKERS: String(workers) })
  const site = await prepareSite(service.url)
  await untilWorkersAnswer(`${service.url}/api/auth/status`, workers)
  for (let at = 0; at < ENTRIES; at += 1)
    await publish(service.url, site, await addEntry(service.url, site, `Entry ${at}`))
  const port = Number(new URL(service.url).port)
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: bench\r\nx-api-key: ${site.key}\r\n\r\n`
  const load = async (requests: readonly string[], total: number) => {
    await loadAll(port, { requests, connections: CONNECTIONS, total })
    return total
  }
  const cached = Array.from({ length: 20 }, (_, at) => get(`/content/${TYPE}?limit=${at + 1}`))
  // A search that nobody has asked before is not in memory.
  const uncached = () => Array.from({ length: UNCACHED }, () => get(`/content/${TYPE}?limit=10&q=entry%20${newId()}`))
  return {
    pid: service.pid,
    workers,
    loads: {
      'delivery from memory': () => load(cached, CACHED),
      'delivery from the database': () => load(uncached(), UNCACHED),
    },
    stop: async () => void (await service.stop()),
  }
}

const openMail: Open = async (url, workers, folder) => {
  const [smtpPort, imapsPort] = [await freePort(), await freePort()]
  const service = await startService('mail', {
    MAIL_DATABASE_URL: url,
    DATA_DIR: folder,
    SMTP_PORT: String(smtpPort),
    IMAPS_PORT: String(imapsPort),
    MAIL_WORKERS: String(workers),
    LIMIT_EXEMPT: '127.0.0.0/8',
    // Nobody waits for the first words of a proxy.
    TRUSTED_PROXIES: '',
    DNS_RESOLVERS: '127.0.0.1:1',
  })
  await untilWorkersAnswer(`${service.url}/api/auth/signups`, workers)
  const boxes = await openMailboxes(url, 2 * MAILBOXES)
  const [readers, recipients] = [boxes.emails.slice(0, MAILBOXES), boxes.emails.slice(MAILBOXES)]
  const clients = await Promise.all(
    readers.map(async (reader) => {
      const client = await openClient({ port: imapsPort, isTls: true })
      await client.say(`LOGIN ${reader} "${MAILBOX_PASSWORD}"`)
      return client
    }),
  )
  const work = await openMix(clients)
  const text = `From: ann@outside.test\r\nSubject: Bench\r\n\r\n${'Some words of a mail.\r\n'.repeat(100)}`
  const inbound = async () => {
    const from = 'ann@outside.test'
    await sendAll({
      ports: [smtpPort],
      connections: CONNECTIONS,
      messages: numbered([Buffer.from(text)], MESSAGES),
      envelope: (index) => ({ from, to: recipients[index % recipients.length] ?? '' }),
    })
    return MESSAGES
  }
  return {
    pid: service.pid,
    workers,
    loads: { 'IMAP, mixed': () => work(IMAP_SECONDS), inbound },
    async stop() {
      for (const client of clients) client.close()
      await boxes.close()
      await service.stop()
    },
  }
}
