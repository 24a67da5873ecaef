import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { hashToken, newKey } from '@stoa/kit/crypto/tokens.ts'
import { newId } from '@stoa/kit/ids.ts'
import pg from 'pg'
import { freshDatabase } from '../../lib/cluster.ts'
import { createGoals } from '../goals.ts'
import { median } from '../harness.ts'
import type { Ask } from './messages.ts'
import { ask, next, start } from './processes.ts'

const SOCKETS = Number(process.env.BENCH_SOCKETS ?? 10_000)
const MAX_KB = 60
const MAX_BROADCAST_MS = 2_000
const ROUNDS = 5
/** The first sockets make the process compile and grow; they are not what one more costs. */
const WARM_UP = 200

/**
 * Idle sockets of websites at one process: what each adds to its resident memory, and how long it takes until all have
 * received one publication, from before its transaction.
 */
export const run = async (): Promise<void> => {
  const database = await freshDatabase()
  const server = start('server.ts', [database.url])
  const children = [server]
  try {
    const { url } = await next(server, 'ready')
    const key = await addKey(database.url)
    children.push(start('clients.ts', [url, key, String(WARM_UP), '2']))
    await next(children[1] ?? server, 'open')
    const before = await ask(server, 'memory', 'memory')
    const clients = start('clients.ts', [url, key, String(SOCKETS), '3'])
    children.push(clients)
    const open = await next(clients, 'open')
    const after = await ask(server, 'memory', 'memory')
    if (after.sockets !== SOCKETS + WARM_UP) throw new Error(`${after.sockets} sockets are open`)
    const kb = (after.bytes - before.bytes) / SOCKETS / 1024
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) times.push(await broadcast(server, clients))
    const goals = createGoals()
    goals.check(
      `${SOCKETS} idle sockets: ${kb.toFixed(1)} KB each, ${Math.round(after.bytes / 1_048_576)} MiB in all, opened in ` +
        `${open.seconds.toFixed(1)} s`,
      kb,
      MAX_KB,
    )
    goals.check(
      `a broadcast to all: ${Math.round(median(times))} ms, worst ${Math.round(Math.max(...times))} ms of ${ROUNDS} rounds`,
      Math.max(...times),
      MAX_BROADCAST_MS,
    )
    goals.finish()
  } finally {
    for (const child of children) child.kill('SIGKILL')
    await Promise.all(children.map((child) => (child.exitCode === null ? once(child, 'exit') : undefined)))
    await database.drop()
  }
}

const broadcast = async (server: ChildProcess, clients: ChildProcess): Promise<number> => {
  await ask(clients, 'expect', 'expecting')
  const received = next(clients, 'received')
  const started = Date.now()
  server.send('publish' satisfies Ask)
  return (await received).last - started
}

const addKey = async (databaseUrl: string): Promise<string> => {
  const key = newKey('cms_')
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(
    `insert into delivery_key (id, name, key_hash, last4, types, created_at, updated_at) values ($1, 'bench', $2, $3, '{*}', now(), now())`,
    [newId(), hashToken(key), key.slice(-4)],
  )
  await client.end()
  return key
}
