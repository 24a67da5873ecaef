import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { hashToken, newKey } from '@stoa/kit/crypto/tokens.ts'
import { openDatabase } from '@stoa/kit/db/database.ts'
import { migrate } from '@stoa/kit/db/migrate.ts'
import { newId } from '@stoa/kit/ids.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { ensureDatabase } from '@stoa/kit/postgres/databases.ts'
import { startPostgres } from '@stoa/kit/postgres/server.ts'
import { migrationsFolder } from '@stoa/mail/app.ts'
import { plantAccount, plantDomain } from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import type { Tables } from '@stoa/mail/tables.ts'
import { createGoals } from '../goals.ts'
import { median, startServer } from '../harness.ts'

const MAX_BATCH_MS = 150
/** 400 in a second. */
const MAX_SINGLE_MS = 2.5
const BATCHES = 30
const ROUNDS = 5
const SENDS = 2_000
const CONNECTIONS = 16
/** Until everything is compiled. */
const WARM_UP_BATCHES = 5
const HTML = `<h1>Your order</h1>${'<p>One <b>thing</b> from <a href="https://shop.test/a">the shop</a></p>'.repeat(30)}`

/**
 * Mails that are checked, built, written to the disk and committed before the answer: batches of a hundred one after the
 * other, and single ones from several connections. PostgreSQL and the load run on the same machine.
 */
export const run = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-sending-'))
  // Durable, as in production: what is answered is on the disk.
  const postgres = await startPostgres({ folder: join(folder, 'postgres') })
  const url = await ensureDatabase(postgres, 'mail')
  const key = await plant(url)
  makeUsed(join(folder, 'blobs', 'mail'))
  // As with WORKERS: one process for each core, which share nothing but the database and the blobs.
  const servers = await Promise.all(
    Array.from({ length: availableParallelism() }, () =>
      startServer(new URL('./sending-server.ts', import.meta.url), [url, folder]),
    ),
  )
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  let turn = 0
  const post = (path: string, body: string) => {
    turn += 1
    return send(agent, { port: servers[turn % servers.length]?.port ?? 0, key, path, body })
  }
  try {
    const batches = await timeBatches(post)
    const rates = await measureRates(post)
    const cpu = (await Promise.all(servers.map((server) => server.cpuSeconds()))).reduce((sum, one) => sum + one)
    await check(url)
    const goals = createGoals()
    goals.check(
      `a batch of 100: ${median(batches).toFixed(0)} ms, worst ${Math.max(...batches).toFixed(0)} of ${BATCHES}`,
      median(batches),
      MAX_BATCH_MS,
    )
    goals.check(
      `single mails: ${median(rates).toFixed(0)} accepted a second, ${(1_000 / median(rates)).toFixed(2)} ms each (${ROUNDS} rounds of ` +
        `${SENDS}, ${CONNECTIONS} connections, ${servers.length} processes); ${cpu.toFixed(1)} s CPU of the service in all`,
      1_000 / median(rates),
      MAX_SINGLE_MS,
    )
    goals.finish()
  } finally {
    agent.destroy()
    for (const server of servers) await server.stop()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** As after some time: with the folders that a store of its kind has. */
const makeUsed = (blobs: string): void => {
  const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
  for (const first of hex) for (const second of hex) mkdirSync(join(blobs, first, second), { recursive: true })
}

type Post = (path: string, body: string) => Promise<void>

const mailTo = (to: string) => ({
  from: 'Shop <shop@ours.test>',
  to,
  subject: 'Your order',
  html: HTML,
  tags: [{ name: 'kind', value: 'order' }],
})

const timeBatches = async (post: Post): Promise<number[]> => {
  const body = JSON.stringify(Array.from({ length: 100 }, (_, at) => mailTo(`r${at}@friend${at % 10}.test`)))
  const times: number[] = []
  for (let batch = -WARM_UP_BATCHES; batch < BATCHES; batch += 1) {
    const began = performance.now()
    await post('/api/emails/batch', body)
    if (batch >= 0) times.push(performance.now() - began)
  }
  return times
}

const measureRates = async (post: Post): Promise<number[]> => {
  const rates: number[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    const began = performance.now()
    let left = SENDS
    const one = async (): Promise<void> => {
      while (left > 0) {
        left -= 1
        await post('/api/emails', JSON.stringify(mailTo(`single${left}@friend.test`)))
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, one))
    // Round 0 warms up.
    if (round > 0) rates.push(SENDS / ((performance.now() - began) / 1_000))
  }
  return rates
}

const send = (agent: Agent, call: { port: number; key: string; path: string; body: string }): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${call.key}`, 'content-type': 'application/json' }
    const sent = request(
      { agent, host: '127.0.0.1', port: call.port, method: 'POST', path: call.path, headers },
      (answer) => {
        answer.resume()
        answer.on('end', () =>
          answer.statusCode === 200 ? resolve() : reject(new Error(`${call.path} answered ${answer.statusCode}`)),
        )
      },
    )
    sent.on('error', reject)
    sent.end(call.body)
  })

const log = createLogger({ name: 'bench', level: 'warn' })

const plant = async (url: string): Promise<string> => {
  await migrate(url, migrationsFolder, log)
  const database = openDatabase<Tables>({ url, poolSize: 2, log })
  const { id: accountId } = await plantAccount(database)
  await plantDomain(database, { accountId, name: 'ours.test' })
  const token = newKey('mk_')
  const row = { account_id: accountId, id: newId(), name: 'bench', permission: 'full_access' as const, domain_id: null }
  await database.tx((tx) =>
    tx
      .insertInto('api_key')
      .values({
        ...row,
        token_hash: hashToken(token),
        token_prefix: token.slice(0, 8),
        created_at: new Date(),
        last_used_at: null,
      })
      .execute(),
  )
  await database.close()
  return token
}

/** Everything that was answered is there. */
const check = async (url: string): Promise<void> => {
  const database = openDatabase<Tables>({ url, poolSize: 1, log, statementTimeoutMs: 60_000 })
  const expected = (BATCHES + WARM_UP_BATCHES) * 100 + (ROUNDS + 1) * SENDS
  const { rows } = await database.pool.query(
    `select (select count(*) from email) as emails, (select count(*) from queue_recipient) as queued,
            (select total from email_count) as counted`,
  )
  await database.close()
  const figures = Object.values<number>(rows[0]).map(Number)
  if (figures.some((figure) => figure !== expected)) throw new Error(`${expected} mails became ${figures.join(', ')}`)
}
