import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBus } from '@stoa/kit/events/bus.ts'
import { nodeFlags } from '../../../scripts/services.ts'
import { median } from '../harness.ts'
import { fillMailbox, log } from '../store/seed.ts'
import { type BenchClient, openClient } from './client.ts'
import { runMixed } from './mixed.ts'
import { deliver, type ImapSeed, makePeople, makePerson, openImapGround, PASSWORD } from './seed.ts'

const LARGE = 100_000
const ROUNDS = 7

/**
 * IMAP against its goals. Parts: `npm run bench -- imap mixed|large|push|idle|idle-tls`; without a name all but the last.
 */
export const run = async (): Promise<void> => {
  const wanted = process.argv[3]
  const parts: Record<string, (ground: ImapSeed, folder: string) => Promise<void>> = {
    mixed: withServer(async (ground, server) => {
      const person = await makePerson(ground)
      const before = (await server.usage()).cpuSeconds
      const { line, commands } = await runMixed(() => signedIn(server, person.email))
      const each = (((await server.usage()).cpuSeconds - before) / commands) * 1_000
      report(`${line}; ${each.toFixed(2)} ms CPU of the server each`)
    }),
    large: withServer(runLarge),
    push: withServer(runPush),
    idle: withServer((ground, server) => runIdle(ground, server, { isTls: false })),
    'idle-tls': withServer((ground, server) => runIdle(ground, server, { isTls: true }), 'tls'),
  }
  const ground = await openImapGround()
  const folder = await mkdtemp(join(tmpdir(), 'bench-imap-'))
  try {
    const names = wanted ? [wanted] : ['mixed', 'large', 'push', 'idle']
    for (const name of names) await parts[name]?.(ground, folder)
  } finally {
    await ground.close()
    await rm(folder, { recursive: true })
  }
}

type Server = { port: number; usage(): Promise<{ rss: number; cpuSeconds: number }> }
type Message = { type: 'ready'; port: number } | { type: 'usage'; rss: number; cpuSeconds: number }

const withServer =
  (work: (ground: ImapSeed, server: Server) => Promise<void>, tls = '') =>
  async (ground: ImapSeed, folder: string): Promise<void> => {
    const child = fork(new URL('imap-server.ts', import.meta.url), [ground.url, folder, tls], {
      execArgv: [...nodeFlags],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const { port } = await next(child, 'ready')
    const usage = async () => {
      child.send('usage')
      return next(child, 'usage')
    }
    try {
      await work(ground, { port, usage })
    } finally {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
  }

const next = async <T extends Message['type']>(
  child: ChildProcess,
  type: T,
): Promise<Extract<Message, { type: T }>> => {
  for (;;) {
    const [message] = (await once(child, 'message')) as [Message]
    if (message.type === type) return message as Extract<Message, { type: T }>
  }
}

const report = (line: string): void => void process.stdout.write(`${line}\n`)

const signedIn = async ({ port }: Server, email: string, options = {}): Promise<BenchClient> => {
  const client = await openClient({ port, ...options })
  await client.say(`login ${email} "${PASSWORD}"`)
  return client
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await work()
  return performance.now() - started
}

const rounds = async (work: () => Promise<number>): Promise<number> => {
  const times: number[] = []
  for (let n = 0; n < ROUNDS; n += 1) times.push(await work())
  return median(times)
}

const runLarge = async (ground: ImapSeed, server: Server): Promise<void> => {
  const person = await makePerson(ground)
  await fillMailbox(ground, person, LARGE)
  await ground.database.pool.query('vacuum analyze')
  const client = await signedIn(server, person.email)
  await client.say('enable qresync')
  const select = await rounds(() => timed(() => client.say('select inbox')))
  report(`SELECT of ${LARGE} messages: ${select.toFixed(0)} ms (goal < 150)`)

  const text = await client.say('select inbox', { isKept: true })
  const validity = /UIDVALIDITY (\d+)/.exec(text)?.[1]
  const modseq = /HIGHESTMODSEQ (\d+)/.exec(text)?.[1]
  await client.say('uid store 50000:50020 +flags.silent (\\Flagged)')
  await client.say('uid store 60000:60009 +flags.silent (\\Deleted)')
  await client.say('uid expunge 60000:60009')
  const delta = await rounds(async () => {
    await client.say('unselect')
    return timed(() => client.say(`select inbox (qresync (${validity} ${modseq}))`))
  })
  report(`QRESYNC of ${LARGE} messages, 31 changes: ${delta.toFixed(0)} ms with SELECT (goal < 30 ms above it)`)

  const before = (await server.usage()).rss
  const fetch = await timed(() => client.say('fetch 1:* flags'))
  const { rss } = await server.usage()
  report(
    `FETCH 1:* FLAGS of ${LARGE} messages: ${fetch.toFixed(0)} ms (goal < 5000), ` +
      `memory ${mb(before)} MB before, ${mb(rss)} MB after`,
  )
}

const mb = (bytes: number): string => (bytes / 2 ** 20).toFixed(0)

const PUSHES = 200
const LISTENERS = 10

/** Another process delivers; how long until clients in IDLE have heard of it. */
const runPush = async (ground: ImapSeed, server: Server): Promise<void> => {
  const bus = openBus(ground.database, { log })
  await bus.ready()
  const person = await makePerson(ground)
  const clients: BenchClient[] = []
  for (let n = 0; n < LISTENERS; n += 1) {
    const client = await signedIn(server, person.email)
    await client.say('select inbox')
    client.socket.write('i idle\r\n')
    await client.heard()
    clients.push(client)
  }
  const times: number[] = []
  for (let n = 0; n < PUSHES; n += 1) {
    const heard = clients.map((client) => client.heard())
    await deliver(ground, person, n)
    const committed = performance.now()
    await Promise.all(heard.map((each) => each.then(() => times.push(performance.now() - committed))))
    await new Promise((resolve) => setTimeout(resolve, 60))
    for (const client of clients) client.socket.read()
  }
  for (const client of clients) client.close()
  await bus.close()
  const sorted = times.toSorted((one, other) => one - other)
  const at = (part: number) => (sorted[Math.floor((sorted.length - 1) * part)] ?? 0).toFixed(1)
  report(`commit to IDLE, ${LISTENERS} clients: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms (goal < 150)`)
}

const IDLE_CONNECTIONS = 10_000
const PER_PERSON = 19

/** F17: ten thousand clients that wait. */
const runIdle = async (ground: ImapSeed, server: Server, { isTls }: { isTls: boolean }): Promise<void> => {
  const emails = await makePeople(ground, Math.ceil(IDLE_CONNECTIONS / PER_PERSON))
  const empty = (await server.usage()).rss
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
        await client.heard()
        return client
      }),
    )
    clients.push(...opened)
  }
  await new Promise((resolve) => setTimeout(resolve, 5_000))
  const { rss } = await server.usage()
  const each = (rss - empty) / clients.length / 1024
  report(
    `${clients.length} idle connections${isTls ? ' with TLS' : ''}: ${mb(rss)} MB (goal <= 1024), ` +
      `${each.toFixed(1)} KiB each`,
  )
  for (const client of clients) client.close()
}
