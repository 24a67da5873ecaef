import { mkdtempSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@stoa/kit/db/database.ts'
import { migrate } from '@stoa/kit/db/migrate.ts'
import { openBus } from '@stoa/kit/events/bus.ts'
import { ensureDatabase } from '@stoa/kit/postgres/databases.ts'
import { startPostgres } from '@stoa/kit/postgres/server.ts'
import { migrationsFolder } from '@stoa/mail/app.ts'
import { basic } from '@stoa/mail/doors/jmap/testing/ground.ts'
import { MAILBOX_PASSWORD, plantAccount, plantAddress } from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import { createFolder, listFolders } from '@stoa/mail/store/folders/folders.ts'
import type { MailDatabase } from '@stoa/mail/store/handles.ts'
import type { Tables } from '@stoa/mail/tables.ts'
import { type BenchServer, median, startServer } from '../harness.ts'
import { fillMailbox, log } from '../store/seed.ts'
import { type Account, loadLists } from './load.ts'

const TARGET_RATE = 300
const TARGET_P50_MS = 15
const TARGET_PUSH_MS = 150
const ROUNDS = 3
const WARM_UPS = 1
const REQUESTS = 1_000
/** Each on a connection of its own: two for each core keep both busy, more would only wait for each other. */
const MAILBOXES = 4
const MESSAGES = 2_000
const PUSHES = 300

/** List views of mailboxes that are in use, and how soon an event stream tells of a change. All on one machine. */
export const run = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-jmap-'))
  const postgres = await startPostgres({ folder: join(folder, 'postgres') })
  const url = await ensureDatabase(postgres, 'mail')
  await migrate(url, migrationsFolder, log)
  const database = openDatabase<Tables>({ url, poolSize: 4, log, statementTimeoutMs: 120_000 })
  // As with WORKERS: one process for each core.
  const servers: BenchServer[] = []
  try {
    const accounts = await plant(database)
    for (let index = 0; index < availableParallelism(); index += 1)
      servers.push(await startServer(new URL('./jmap-server.ts', import.meta.url), [url, folder]))
    const ports = servers.map(({ port }) => port)
    await measureLists(servers, accounts)
    await measurePushes(database, ports, accounts)
  } finally {
    for (const server of servers) await server.stop()
    await database.close()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const plant = async (database: MailDatabase): Promise<Account[]> => {
  const { id: accountId } = await plantAccount(database)
  const accounts: Account[] = []
  for (let index = 0; index < MAILBOXES; index += 1) {
    const { id, email } = await plantAddress(database, `box${index}@ours.test`, { accountId })
    const inboxId = (await listFolders(database.db, id)).find(({ role }) => role === 'inbox')?.id ?? ''
    await fillMailbox({ database, close: () => database.close() }, { addressId: id, inboxId, archiveId: '' }, MESSAGES)
    accounts.push({ accountId: id, inboxId, authorization: basic(email, MAILBOX_PASSWORD) })
  }
  return accounts
}

const measureLists = async (servers: readonly BenchServer[], accounts: readonly Account[]): Promise<void> => {
  const ports = servers.map(({ port }) => port)
  const cpuSeconds = async () =>
    (await Promise.all(servers.map((each) => each.cpuSeconds()))).reduce((sum, one) => sum + one)
  const rates: number[] = []
  const times: number[] = []
  const costs: number[] = []
  for (let round = -WARM_UPS; round < ROUNDS; round += 1) {
    const before = await cpuSeconds()
    const result = await loadLists({ ports, accounts, total: REQUESTS })
    const cpu = (await cpuSeconds()) - before
    if (round < 0) continue
    costs.push((cpu * 1_000) / REQUESTS)
    rates.push(result.perSecond)
    times.push(median(result.times))
  }
  process.stdout.write(
    `jmap: ${median(rates).toFixed(0)} list views/s (target >= ${TARGET_RATE}), p50 ${median(times).toFixed(1)} ms ` +
      `(target < ${TARGET_P50_MS}), ${median(costs).toFixed(2)} ms CPU each without PostgreSQL; ` +
      `${ports.length} processes, ${accounts.length} connections, ${ROUNDS} rounds of ${REQUESTS}\n`,
  )
}

/** From the commit in one process to the event of another. */
const measurePushes = async (
  database: MailDatabase,
  [port = 0]: readonly number[],
  [account]: readonly Account[],
): Promise<void> => {
  if (!account) return
  const bus = openBus(database, { log })
  await bus.ready()
  const events = await openEvents(port, account)
  const times: number[] = []
  for (let index = 0; index < PUSHES; index += 1) {
    const arrived = events.next()
    await database.tx((tx) => createFolder(tx, { addressId: account.accountId, name: `Folder ${index}` }))
    const committed = performance.now()
    times.push((await arrived) - committed)
  }
  events.close()
  await bus.close()
  const p99 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN
  process.stdout.write(
    `jmap: a change is told after ${median(times).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (target < ${TARGET_PUSH_MS}; ${PUSHES} changes)\n`,
  )
}

const openEvents = (port: number, { authorization }: Account) =>
  new Promise<{ next(): Promise<number>; close(): void }>((resolve, reject) => {
    let tell = (_at: number): void => undefined
    const path = '/jmap/eventsource?types=Mailbox&closeafter=no&ping=0'
    const sent = get({ host: '127.0.0.1', port, path, headers: { authorization } }, (answer) => {
      answer.on('data', (chunk: Buffer) => {
        if (chunk.includes('event: state')) tell(performance.now())
      })
      answer.on('error', () => undefined)
      resolve({
        next: () =>
          new Promise((told) => {
            tell = told
          }),
        close: () => sent.destroy(),
      })
    })
    sent.on('error', reject)
  })
