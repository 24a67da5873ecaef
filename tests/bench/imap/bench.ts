import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBus } from '@stoa/kit/events/bus.ts'
import { createGoals, type Goals } from '../goals.ts'
import { log } from '../store/seed.ts'
import type { BenchClient } from './client.ts'
import { runLarge } from './large.ts'
import { runMixed } from './mixed.ts'
import { runSearch } from './search.ts'
import { deliver, type ImapSeed, makePeople, makePerson, openImapGround } from './seed.ts'
import { type ImapServer, signedIn, startImapServer } from './server.ts'

/**
 * IMAP against its goals, in CPU of the server and of PostgreSQL, which waits for the disk as a service does. Parts:
 * `npm run bench -- imap mixed|large|search|push|idle|idle-tls`; without a name all but the last.
 */
export const run = async (): Promise<void> => {
  const wanted = process.argv[3]
  const goals = createGoals()
  const parts: Record<string, (ground: ImapSeed, folder: string) => Promise<void>> = {
    mixed: withServer((ground, server) => runMixed(ground, server, goals)),
    large: withServer((ground, server) => runLarge(ground, server, goals)),
    search: withServer((ground, server) => runSearch(ground, server, goals)),
    push: withServer((ground, server) => runPush(ground, server, goals)),
    idle: withServer((ground, server) => runIdle(ground, server, { isTls: false, goals })),
    'idle-tls': withServer((ground, server) => runIdle(ground, server, { isTls: true, goals }), 'tls'),
  }
  const ground = await openImapGround()
  const folder = await mkdtemp(join(tmpdir(), 'bench-imap-'))
  try {
    const names = wanted ? [wanted] : ['mixed', 'large', 'search', 'push', 'idle']
    for (const name of names) await parts[name]?.(ground, folder)
    goals.finish()
  } finally {
    await ground.close()
    await rm(folder, { recursive: true })
  }
}

const withServer =
  (work: (ground: ImapSeed, server: ImapServer) => Promise<void>, tls = '') =>
  async (ground: ImapSeed, folder: string): Promise<void> => {
    const server = await startImapServer(ground, folder, tls)
    try {
      await work(ground, server)
    } finally {
      await server.stop()
    }
  }

const mb = (bytes: number): string => (bytes / 2 ** 20).toFixed(0)

const PUSHES = 200
const LISTENERS = 10
const PUSH_GOAL = 150

/** Another process delivers; how long until clients in IDLE are notified. */
const runPush = async (ground: ImapSeed, server: ImapServer, goals: Goals): Promise<void> => {
  const bus = openBus(ground.database, { log })
  await bus.ready()
  const person = await makePerson(ground)
  const clients: BenchClient[] = []
  for (let n = 0; n < LISTENERS; n += 1) {
    const client = await signedIn(server, person.email)
    await client.say('select inbox')
    client.socket.write('i idle\r\n')
    await client.nextAnswer()
    clients.push(client)
  }
  const times: number[] = []
  for (let n = 0; n < PUSHES; n += 1) {
    const received = clients.map((client) => client.nextAnswer())
    await deliver(ground, person, n)
    const committed = performance.now()
    await Promise.all(received.map((each) => each.then(() => times.push(performance.now() - committed))))
    await new Promise((resolve) => setTimeout(resolve, 60))
    for (const client of clients) client.socket.read()
  }
  for (const client of clients) client.close()
  await bus.close()
  const sorted = times.toSorted((one, other) => one - other)
  const at = (part: number) => (sorted[Math.floor((sorted.length - 1) * part)] ?? 0).toFixed(1)
  goals.check(
    `commit to IDLE, ${LISTENERS} clients: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`,
    Number(at(0.99)),
    PUSH_GOAL,
  )
}

const IDLE_CONNECTIONS = 10_000
const PER_PERSON = 19
const IDLE_GOAL_MB = 1_024

/** Ten thousand clients that wait. */
const runIdle = async (
  ground: ImapSeed,
  server: ImapServer,
  { isTls, goals }: { isTls: boolean; goals: Goals },
): Promise<void> => {
  const emails = await makePeople(ground, Math.ceil(IDLE_CONNECTIONS / PER_PERSON))
  const empty = await server.rss()
  const clients: BenchClient[] = []
  for (const [n, email] of emails.entries()) {
    // From here on the password is remembered: what costs time is checking it.
    const first = await signedIn(server, email, { isTls })
    first.close()
    const opened = await Promise.all(
      Array.from({ length: PER_PERSON }, async () => {
        const client = await signedIn(server, email, { isTls, localAddress: `127.0.0.${2 + (n % 100)}` })
        await client.say('select inbox')
        client.socket.write('i idle\r\n')
        await client.nextAnswer()
        return client
      }),
    )
    clients.push(...opened)
  }
  await new Promise((resolve) => setTimeout(resolve, 5_000))
  const rss = await server.rss()
  const each = (rss - empty) / clients.length / 1024
  goals.check(
    `${clients.length} idle connections${isTls ? ' with TLS' : ''}: ${mb(rss)} MB, ${each.toFixed(1)} KiB each`,
    rss / 2 ** 20,
    IDLE_GOAL_MB,
  )
  for (const client of clients) client.close()
}
