import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ensureDatabase } from '@stoa/kit/postgres/databases.ts'
import { startPostgres } from '@stoa/kit/postgres/server.ts'
import { MAILBOX_PASSWORD } from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import { services } from '../../../scripts/services.ts'
import { openMailboxes } from '../../faults/mail-load.ts'
import { type ServiceProcess, startService } from '../../faults/service-process.ts'
import { treeCpuSeconds } from '../../lib/cpu.ts'
import { freePort } from '../../lib/free-port.ts'
import { createGoals, type Goals } from '../goals.ts'
import { median } from '../harness.ts'
import { openClient } from '../imap/client.ts'
import { openMix } from '../imap/mixed.ts'
import { signedLetters } from '../messages.ts'
import { sendAll } from '../smtp-load.ts'

type Name = 'cms' | 'mail'
/** CPU seconds until it is ready, and what it holds in memory when it has nothing to do. */
type Start = { cpu: number; seconds: number; idleMb: number }

const STARTS = 3
/** Node has noticed by then that nothing happens, and given back what only the start needed. */
const REST_MS = 30_000
const MESSAGES = 4_000
const CONNECTIONS = 16
const IMAP_CLIENTS = 10
const IMAP_SECONDS = 12
const MAILBOXES = 10

/** Of the memory of one process without PostgreSQL, in MB. */
const IDLE_MB: Readonly<Record<Name, number>> = { cms: 120, mail: 140 }
const LOADED_MB = 350
/** A start from a bundle takes so much of what one from sources does. */
const MOST_OF_SOURCES = 0.6

/**
 * How long a service takes to start and what it holds in memory, from its sources and from the bundle that `npm start` runs:
 * one process, on a database that is there. `npm run bench -- start cms` or `start mail` measures one of the services.
 */
export const run = async (): Promise<void> => {
  const wanted = process.argv[3]
  const folder = mkdtempSync(join(tmpdir(), 'bench-start-'))
  const postgres = await startPostgres({ folder: join(folder, 'postgres') })
  const goals = createGoals()
  try {
    for (const name of ['cms', 'mail'] as const) {
      if (wanted !== undefined && wanted !== name) continue
      await measure(name, { url: await ensureDatabase(postgres, name), folder: join(folder, name) }, goals)
    }
    goals.finish()
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Ground = { url: string; folder: string }

const measure = async (name: Name, ground: Ground, goals: Goals): Promise<void> => {
  const { entry, bundle = '' } = services.find((service) => service.name === name) ?? { entry: '' }
  const environment = await environmentOf(name, ground)
  const start = (file: string) => startService(name, environment, { entry: file })
  // The first ones migrate, and compile what Node keeps.
  for (const file of [entry, bundle]) await (await start(file)).stop()
  const sources = await startsOf(start, entry)
  const bundled = await startsOf(start, bundle)
  process.stdout.write(`${name}, from sources: ${textOf(sources)}\n`)
  goals.check(
    `${name}, start from the bundle: ${textOf(bundled)}; ${(bundled.cpu / sources.cpu).toFixed(2)} times the CPU of sources`,
    bundled.cpu / sources.cpu,
    MOST_OF_SOURCES,
  )
  goals.check(`${name}, memory at rest: ${bundled.idleMb.toFixed(0)} MB`, bundled.idleMb, IDLE_MB[name])
  if (name === 'mail') await measureLoad(await start(bundle), ground, environment, goals)
}

const textOf = ({ cpu, seconds, idleMb }: Start): string =>
  `ready after ${seconds.toFixed(2)} s and ${cpu.toFixed(2)} s of CPU, ${idleMb.toFixed(0)} MB at rest`

const environmentOf = async (name: Name, { url, folder }: Ground): Promise<Record<string, string>> =>
  name === 'cms'
    ? { CMS_DATABASE_URL: url, WORKERS: '1', DATA_DIR: folder }
    : {
        MAIL_DATABASE_URL: url,
        MAIL_WORKERS: '1',
        DATA_DIR: folder,
        SMTP_PORT: String(await freePort()),
        IMAPS_PORT: String(await freePort()),
        LIMIT_EXEMPT: '127.0.0.0/8',
        DNS_RESOLVERS: '127.0.0.1:1',
      }

const startsOf = async (start: (file: string) => Promise<ServiceProcess>, file: string): Promise<Start> => {
  const starts: Start[] = []
  for (let at = 0; at < STARTS; at += 1) {
    const began = performance.now()
    const service = await start(file)
    const seconds = (performance.now() - began) / 1_000
    const cpu = treeCpuSeconds(service.pid)
    await sleep(REST_MS)
    starts.push({ seconds, cpu, idleMb: memoryOf(service.pid) })
    await service.stop()
  }
  const middle = (figure: keyof Start): number => median(starts.map((each) => each[figure]))
  return { seconds: middle('seconds'), cpu: middle('cpu'), idleMb: middle('idleMb') }
}

/** Mail comes in over many connections, and is read, written and searched by IMAP. */
const measureLoad = async (
  service: ServiceProcess,
  { url }: Ground,
  { SMTP_PORT, IMAPS_PORT }: Record<string, string>,
  goals: Goals,
): Promise<void> => {
  const boxes = await openMailboxes(url, MAILBOXES)
  try {
    const [reader = '', ...recipients] = boxes.emails
    const { letters } = await signedLetters(MESSAGES, recipients)
    const from = 'ann@outside.test'
    await sendAll({
      ports: [Number(SMTP_PORT)],
      connections: CONNECTIONS,
      messages: letters,
      envelope: (index) => ({ from, to: recipients[index % recipients.length] ?? '' }),
    })
    const afterInbound = memoryOf(service.pid)
    const clients = await Promise.all(
      Array.from({ length: IMAP_CLIENTS }, async () => {
        const client = await openClient({ port: Number(IMAPS_PORT), isTls: true })
        await client.say(`LOGIN ${reader} "${MAILBOX_PASSWORD}"`)
        return client
      }),
    )
    const work = await openMix(clients)
    await work(IMAP_SECONDS)
    for (const client of clients) client.close()
    const loaded = Math.max(afterInbound, memoryOf(service.pid))
    await sleep(REST_MS)
    goals.check(
      `mail, memory after load: ${loaded.toFixed(0)} MB after ${MESSAGES} messages and mixed IMAP, ` +
        `${memoryOf(service.pid).toFixed(0)} MB ${REST_MS / 1_000} seconds later`,
      loaded,
      LOADED_MB,
    )
  } finally {
    await boxes.close()
    await service.stop()
  }
}

/** What the kernel counts as resident. */
const memoryOf = (pid: number): number => {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1_024
}
