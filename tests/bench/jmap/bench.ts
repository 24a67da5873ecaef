import { mkdtempSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@stoa/kit/db/database.ts'
import { migrate } from '@stoa/kit/db/migrate.ts'
import { openBus } from '@stoa/kit/events/bus.ts'
import { migrationsFolder } from '@stoa/mail/app.ts'
import { basic } from '@stoa/mail/doors/jmap/testing/ground.ts'
import { MAILBOX_PASSWORD, plantAccount, plantAddress } from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import { createFolder, listFolders } from '@stoa/mail/store/folders/folders.ts'
import type { MailDatabase } from '@stoa/mail/store/handles.ts'
import type { Tables } from '@stoa/mail/tables.ts'
import { durableDatabase } from '../durable.ts'
import { createGoals, type Goals } from '../goals.ts'
import { median } from '../harness.ts'
import { type Cost, costOf, type Measured, medianCost, startMeasured } from '../measured.ts'
import { fillMailbox, log } from '../store/seed.ts'
import { type Account, loadLists } from './load.ts'

const SERVER = new URL('./jmap-server.ts', import.meta.url)
const LIST_GOAL_MS = 4
const PUSH_GOAL_MS = 150
const ROUNDS = 3
const WARM_UPS = 4
const REQUESTS = 1_000
/** Each on a connection of its own: two for each core keep both busy, more would only wait for each other. */
const MAILBOXES = 4
const MESSAGES = 2_000
const PUSHES = 300

/** List views of mailboxes that are in use, and how soon an event stream reports a change. All on one machine. */
export const run = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-jmap-'))
  const { url, drop } = await durableDatabase()
  await migrate(url, migrationsFolder, log)
  const database = openDatabase<Tables>({ url, poolSize: 4, log, statementTimeoutMs: 120_000 })
  // As with WORKERS: one process for each core.
  const servers: Measured[] = []
  const goals = createGoals()
  try {
    const accounts = await plant(database)
    for (let index = 0; index < availableParallelism(); index += 1)
      servers.push(await startMeasured(SERVER, { url, name: `bench-jmap-${index}`, args: [folder] }))
    await measureLists(servers, accounts, goals)
    await measurePushes(
      database,
      servers.map(({ port }) => port),
      { accounts, goals },
    )
    goals.finish()
  } finally {
    for (const server of servers) await server.stop()
    await database.close()
    await drop()
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

const measureLists = async (
  servers: readonly Measured[],
  accounts: readonly Account[],
  goals: Goals,
): Promise<void> => {
  const ports = servers.map(({ port }) => port)
  const rates: number[] = []
  const costs: Cost[] = []
  for (let round = -WARM_UPS; round < ROUNDS; round += 1) {
    let rate = 0
    const cost = await costOf(servers, async () => {
      rate = (await loadLists({ ports, accounts, total: REQUESTS })).perSecond
      return REQUESTS
    })
    if (round < 0) continue
    costs.push(cost)
    rates.push(rate)
  }
  const { total, line } = medianCost(costs)
  goals.check(
    `jmap, a list view: ${line}, ${median(rates).toFixed(0)}/s; ${ports.length} processes, ` +
      `${accounts.length} connections, ${ROUNDS} rounds of ${REQUESTS}`,
    total,
    LIST_GOAL_MS,
  )
}

/** From the commit in one process to the event of another. */
const measurePushes = async (
  database: MailDatabase,
  [port = 0]: readonly number[],
  { accounts, goals }: { accounts: readonly Account[]; goals: Goals },
): Promise<void> => {
  const [account] = accounts
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
  goals.check(
    `jmap, a change is reported: after ${median(times).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms; ${PUSHES} changes`,
    p99,
    PUSH_GOAL_MS,
  )
}

const openEvents = (port: number, { authorization }: Account) =>
  new Promise<{ next(): Promise<number>; close(): void }>((resolve, reject) => {
    let onState = (_at: number): void => undefined
    const path = '/jmap/eventsource?types=Mailbox&closeafter=no&ping=0'
    const sent = get({ host: '127.0.0.1', port, path, headers: { authorization } }, (answer) => {
      answer.on('data', (chunk: Buffer) => {
        if (chunk.includes('event: state')) onState(performance.now())
      })
      answer.on('error', () => undefined)
      resolve({
        next: () =>
          new Promise((resolve) => {
            onState = resolve
          }),
        close: () => sent.destroy(),
      })
    })
    sent.on('error', reject)
  })
