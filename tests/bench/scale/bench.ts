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
import { openClient } from '../imap/client.ts'
import { workOnOne } from '../imap/mixed.ts'
import { numbered } from '../messages.ts'
import { sendAll } from '../smtp-load.ts'

/** What one kind of load cost: operations in so many seconds of work, and of time. */
type Measured = { name: string; operations: number; cpu: number; seconds: number }

/** A second process may cost this much more for each request. */
const MOST_CPU_RATIO = 1.1
const ENTRIES = 50
const CACHED = 20_000
const UNCACHED = 1_500
const MESSAGES = 600
const CONNECTIONS = 8
const WARM_UPS = 4
const ROUNDS = 3

type Part = (url: string, workers: number, folder: string) => Promise<Measured[]>

/**
 * The same load on one process and on two workers, the primary's work counted; PostgreSQL is left out.
 * `npm run bench -- scale cms` or `scale mail` measures one of the services.
 */
export const run = async (): Promise<void> => {
  const parts: Record<string, Part> = { cms: measureDelivery, mail: measureMail }
  const wanted = process.argv[3]
  const folder = mkdtempSync(join(tmpdir(), 'bench-scale-'))
  const postgres = await startPostgres({ folder: join(folder, 'postgres') })
  const goals = createGoals()
  process.stdout.write(`scale: one process and two workers on ${availableParallelism()} cores\n`)
  try {
    for (const [name, part] of Object.entries(parts)) {
      if (wanted !== undefined && wanted !== name) continue
      const measure = async (workers: number) =>
        part(await ensureDatabase(postgres, `${name}_${workers}`), workers, join(folder, `${name}-${workers}`))
      compare(goals, await measure(1), await measure(2))
    }
    goals.finish()
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const compare = (goals: Goals, one: readonly Measured[], two: readonly Measured[]): void => {
  for (const [at, single] of one.entries()) {
    const both = two[at] ?? single
    const [before, after] = [cost(single), cost(both)]
    const times = both.operations / both.seconds / (single.operations / single.seconds)
    const line = `${single.name}: ${before.toFixed(3)} ms CPU each with one, ${after.toFixed(3)} with two; ${times.toFixed(2)} times the throughput; CPU ratio ${(after / before).toFixed(2)}`
    goals.check(line, after / before, MOST_CPU_RATIO)
  }
}

const cost = ({ operations, cpu }: Measured): number => (cpu * 1_000) / operations

type Measuring = { name: string; pid: number; workers: number }

/** Every worker is as warm as the one process: each has its own compiler to convince. */
const measure = async ({ name, pid, workers }: Measuring, work: () => Promise<number>): Promise<Measured> => {
  for (let at = 0; at < WARM_UPS * workers; at += 1) await work()
  const rounds: Measured[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const [cpu, began] = [treeCpuSeconds(pid), performance.now()]
    const operations = await work()
    const seconds = (performance.now() - began) / 1_000
    rounds.push({ name, operations, cpu: treeCpuSeconds(pid) - cpu, seconds })
  }
  const [, middle] = rounds.toSorted((one, other) => cost(one) - cost(other))
  if (!middle) throw new Error(`${name} was not measured`)
  return middle
}

const measureDelivery: Part = async (url, workers) => {
  const env = { CMS_DATABASE_URL: url, WORKERS: String(workers) }
  const service = await startService('cms', env)
  try {
    const site = await prepareSite(service.url)
    await untilWorkersAnswer(`${service.url}/api/auth/status`, workers)
    for (let at = 0; at < ENTRIES; at += 1)
      await publish(service.url, site, await addEntry(service.url, site, `Entry ${at}`))
    const port = Number(new URL(service.url).port)
    const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: bench\r\nx-api-key: ${site.key}\r\n\r\n`
    const load = (requests: readonly string[], total: number) => async () => {
      await loadAll(port, { requests, connections: CONNECTIONS, total })
      return total
    }
    const cached = Array.from({ length: 20 }, (_, at) => get(`/content/${TYPE}?limit=${at + 1}`))
    // A search that nobody has asked before is not in memory.
    const uncached = () =>
      load(
        Array.from({ length: UNCACHED }, () => get(`/content/${TYPE}?limit=10&q=entry%20${newId()}`)),
        UNCACHED,
      )()
    const measured = { pid: service.pid, workers }
    return [
      await measure({ name: 'delivery from memory', ...measured }, load(cached, CACHED)),
      await measure({ name: 'delivery from the database', ...measured }, uncached),
    ]
  } finally {
    await service.stop()
  }
}

const measureMail: Part = async (url, workers, folder) => {
  const [smtpPort, imapsPort] = [await freePort(), await freePort()]
  const service = await startService('mail', {
    MAIL_DATABASE_URL: url,
    DATA_DIR: folder,
    SMTP_PORT: String(smtpPort),
    IMAPS_PORT: String(imapsPort),
    MAIL_WORKERS: String(workers),
    LIMIT_EXEMPT: '127.0.0.0/8',
    DNS_RESOLVERS: '127.0.0.1:1',
  })
  const boxes = await openMailboxes(url, 10)
  try {
    await untilWorkersAnswer(`${service.url}/api/auth/signups`, workers)
    const [reader = '', ...recipients] = boxes.emails
    const open = async () => {
      const client = await openClient({ port: imapsPort, isTls: true })
      await client.say(`LOGIN ${reader} "${MAILBOX_PASSWORD}"`)
      return client
    }
    const text = `From: ann@outside.test\r\nSubject: Bench\r\n\r\n${'Some words of a mail.\r\n'.repeat(100)}`
    const inbound = async () => {
      const messages = [Buffer.from(text)]
      const from = 'ann@outside.test'
      await sendAll({
        ports: [smtpPort],
        connections: CONNECTIONS,
        messages: numbered(messages, MESSAGES),
        envelope: (index) => ({ from, to: recipients[index % recipients.length] ?? '' }),
      })
      return MESSAGES
    }
    const measured = { pid: service.pid, workers }
    return [
      await measure({ name: 'IMAP, mixed', ...measured }, () => workOnOne(open)),
      await measure({ name: 'inbound', ...measured }, inbound),
    ]
  } finally {
    await boxes.close()
    await service.stop()
  }
}
