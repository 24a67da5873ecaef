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
import { median, middleHalf } from '../harness.ts'
import { openClient } from '../imap/client.ts'
import { openMix } from '../imap/mixed.ts'
import { numbered } from '../messages.ts'
import { sendAll } from '../smtp-load.ts'

/** A second process may cost this much more for each request. */
const MOST_CPU_RATIO = 1.1
/** So many times the throughput is expected of two workers where there are cores for them, for the load and for PostgreSQL. */
const LEAST_THROUGHPUT_RATIO = 1.6
const CORES_FOR_ALL = 4
const ENTRIES = 50
// A turn is long beside the ticks of 10 ms in which the kernel counts each process, and its warm-up beside V8's compilers.
const CACHED = 20_000
const UNCACHED = 3_000
const MESSAGES = 400
const CONNECTIONS = 8
const MAILBOXES = 10
const IMAP_SECONDS = 3
const WARM_UPS = 4
const FULL_ROUNDS = 5
/** Of what one process can do, for each process: cores are half idle then, even if there are only two. */
const CALM_SHARE = 0.25
const CALM_SECONDS = 4
const CALM_ROUNDS = 9

/** How much is asked for: a number of operations, as fast as they are answered, or so many a second for CALM_SECONDS. */
type Demand = 'full' | { perSecond: number }
/** Does some work and gives how many operations that were. */
type Work = (demand: Demand) => Promise<number>
/** A running service with the kinds of load that can be put on it. */
type Ground = { pids: readonly number[]; processes: number; loads: Record<string, Work>; stop(): Promise<void> }
/** `share` of the load is put on it. */
type Size = { workers: number; share: number }
type Open = (url: string, size: Size, folder: string) => Promise<Ground>

/**
 * What a request costs with one process, with two workers (the primary's work counted) and with two processes that share nothing,
 * not even a database: what those cost more than one is what the machine takes for a second process. Each process gets the same
 * load, a part of what one can do, so two workers get twice that of one: with the same for both, each of two would find less to
 * do whenever it wakes up, which costs more for each request, and is what a machine with too many workers for its load looks like.
 *
 * Two workers are held against both. PostgreSQL's work is left out. What two workers do and cost at full speed is printed, too: on
 * fewer than four cores they, the load and PostgreSQL take each other's. `npm run bench -- scale cms` or `scale mail` measures one
 * of the services.
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
      const start = async (kind: string, size: Size) =>
        open(await ensureDatabase(postgres, `${name}_${kind}`), size, join(folder, `${name}-${kind}`))
      const grounds = {
        one: await start('one', { workers: 1, share: 1 }),
        two: await start('two', { workers: 2, share: 1 }),
        apart: together(
          await start('left', { workers: 1, share: 0.5 }),
          await start('right', { workers: 1, share: 0.5 }),
        ),
      }
      for (const load of Object.keys(grounds.one.loads)) await compare(goals, load, grounds)
      for (const ground of Object.values(grounds)) await ground.stop()
    }
    goals.finish()
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Two that know nothing of each other, under load at the same time. */
const together = (left: Ground, right: Ground): Ground => ({
  pids: [...left.pids, ...right.pids],
  processes: 2,
  loads: Object.fromEntries(
    Object.keys(left.loads).map((name) => [
      name,
      async (demand) => {
        const done = await Promise.all([left, right].map(({ loads }) => loads[name]?.(demand) ?? 0))
        return done.reduce((sum, operations) => sum + operations, 0)
      },
    ]),
  ),
  async stop() {
    await left.stop()
    await right.stop()
  },
})

type Kind = 'one' | 'two' | 'apart'
const KINDS: readonly Kind[] = ['one', 'two', 'apart']
type Round = Record<Kind, Measured>

const compare = async (goals: Goals, name: string, grounds: Readonly<Record<Kind, Ground>>): Promise<void> => {
  for (const kind of KINDS) await warmUp(grounds[kind], name)
  const full = await inTurns(FULL_ROUNDS, (kind) => measure(grounds[kind], name, 'full'))
  const perSecond = CALM_SHARE * median(full.map(({ one }) => one.speed))
  const calm = await inTurns(CALM_ROUNDS, (kind) =>
    measure(grounds[kind], name, { perSecond: perSecond * grounds[kind].processes }),
  )
  const costs = KINDS.map((kind) => median(calm.map((round) => round[kind].cost)).toFixed(3))
  const [toOne, toApart] = [ratios(calm, 'cost', 'one'), ratios(calm, 'cost', 'apart')]
  goals.check(
    `${name}: ${costs[0]} ms CPU each with one process, ${costs[1]} with two workers, ${costs[2]} with two apart, at ` +
      `${perSecond.toFixed(0)} a second for each process; ratio ${textOf(toOne)} to one, ${textOf(toApart)} to two apart`,
    Math.max(median(toOne), median(toApart)),
    MOST_CPU_RATIO,
  )
  const throughput = ratios(full, 'speed', 'one')
  const line =
    `${name}, at full speed on ${availableParallelism()} cores: two workers do ${textOf(throughput)} times as much as one process; ` +
    `CPU ratio ${textOf(ratios(full, 'cost', 'one'))} to one, ${textOf(ratios(full, 'cost', 'apart'))} to two apart`
  // The less, the better: what is to be large is checked upside down.
  if (availableParallelism() >= CORES_FOR_ALL) goals.check(line, 1 / median(throughput), 1 / LEAST_THROUGHPUT_RATIO)
  else process.stdout.write(`${line}\n`)
}

/** In short turns, so that a noisy moment hits all, each time in another order. */
const inTurns = async (count: number, turn: (kind: Kind) => Promise<Measured>): Promise<Round[]> => {
  const rounds: Round[] = []
  for (let round = 0; round < count; round += 1) {
    const first = round % KINDS.length
    const measured: Partial<Round> = {}
    for (const kind of [...KINDS.slice(first), ...KINDS.slice(0, first)]) measured[kind] = await turn(kind)
    rounds.push(measured as Round)
  }
  return rounds
}

const ratios = (rounds: readonly Round[], what: keyof Measured, to: Kind): number[] =>
  rounds.map((round) => round.two[what] / round[to][what])

const textOf = (values: readonly number[]): string => `${median(values).toFixed(2)} (middle half ${middleHalf(values)})`

/** Every process gets as warm as the one: each has its own compiler to convince. */
const warmUp = async ({ processes, loads }: Ground, name: string): Promise<void> => {
  for (let at = 0; at < WARM_UPS * processes; at += 1) await loads[name]?.('full')
}

/** Milliseconds of work for each operation, and operations in a second. */
type Measured = { cost: number; speed: number }

const measure = async ({ pids, loads }: Ground, name: string, demand: Demand): Promise<Measured> => {
  const cpuSeconds = () => pids.reduce((sum, pid) => sum + treeCpuSeconds(pid), 0)
  const [cpu, began] = [cpuSeconds(), performance.now()]
  const operations = (await loads[name]?.(demand)) ?? 0
  const seconds = (performance.now() - began) / 1_000
  return { cost: ((cpuSeconds() - cpu) * 1_000) / operations, speed: operations / seconds }
}

/** How many operations, and at which pace, for a ground that has a share of the load. */
const amount = (demand: Demand, all: number, share: number): { total: number; perSecond?: number } => {
  if (demand === 'full') return { total: all * share }
  const perSecond = demand.perSecond * share
  return { total: Math.ceil(perSecond * CALM_SECONDS), perSecond }
}

const openDelivery: Open = async (url, { workers, share }) => {
  const service = await startService('cms', { CMS_DATABASE_URL: url, WORKERS: String(workers) })
  const site = await prepareSite(service.url)
  await untilWorkersAnswer(`${service.url}/api/auth/status`, workers)
  for (let at = 0; at < ENTRIES; at += 1)
    await publish(service.url, site, await addEntry(service.url, site, `Entry ${at}`))
  const port = Number(new URL(service.url).port)
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: bench\r\nx-api-key: ${site.key}\r\n\r\n`
  const load = async (requests: readonly string[], demand: Demand, all: number) => {
    const asked = amount(demand, all, share)
    await loadAll(port, { requests, connections: CONNECTIONS * share, ...asked })
    return asked.total
  }
  const cached = Array.from({ length: 20 }, (_, at) => get(`/content/${TYPE}?limit=${at + 1}`))
  // A search that nobody has asked before is not in memory.
  const uncached = () => Array.from({ length: UNCACHED }, () => get(`/content/${TYPE}?limit=10&q=entry%20${newId()}`))
  return {
    pids: [service.pid],
    processes: workers,
    loads: {
      'delivery from memory': (demand) => load(cached, demand, CACHED),
      'delivery from the database': (demand) => load(uncached(), demand, UNCACHED),
    },
    stop: async () => void (await service.stop()),
  }
}

const openMail: Open = async (url, { workers, share }, folder) => {
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
  const [readers, recipients] = [boxes.emails.slice(0, MAILBOXES * share), boxes.emails.slice(MAILBOXES)]
  const clients = await Promise.all(
    readers.map(async (reader) => {
      const client = await openClient({ port: imapsPort, isTls: true })
      await client.say(`LOGIN ${reader} "${MAILBOX_PASSWORD}"`)
      return client
    }),
  )
  const work = await openMix(clients)
  const text = `From: ann@outside.test\r\nSubject: Bench\r\n\r\n${'Some words of a mail.\r\n'.repeat(100)}`
  const mixed = (demand: Demand) =>
    demand === 'full' ? work(IMAP_SECONDS) : work(CALM_SECONDS, demand.perSecond * share)
  const inbound = async (demand: Demand) => {
    const from = 'ann@outside.test'
    const { total, ...pace } = amount(demand, MESSAGES, share)
    await sendAll({
      ports: [smtpPort],
      connections: CONNECTIONS * share,
      messages: numbered([Buffer.from(text)], total),
      envelope: (index) => ({ from, to: recipients[index % recipients.length] ?? '' }),
      ...pace,
    })
    return total
  }
  return {
    pids: [service.pid],
    processes: workers,
    loads: { 'IMAP, mixed': mixed, inbound },
    async stop() {
      for (const client of clients) client.close()
      await boxes.close()
      await service.stop()
    },
  }
}
