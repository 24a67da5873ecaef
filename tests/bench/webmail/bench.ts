import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@stoa/kit/db/database.ts'
import { migrate } from '@stoa/kit/db/migrate.ts'
import { ensureDatabase } from '@stoa/kit/postgres/databases.ts'
import { startPostgres } from '@stoa/kit/postgres/server.ts'
import { migrationsFolder } from '@stoa/mail/app.ts'
import { openBlobs } from '@stoa/mail/blobs.ts'
import { readConfig } from '@stoa/mail/config.ts'
import { MAILBOX_PASSWORD, plantAddress } from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import { listFolders } from '@stoa/mail/store/folders/folders.ts'
import type { MailDatabase } from '@stoa/mail/store/handles.ts'
import { addMessage } from '@stoa/mail/store/messages/messages.ts'
import { readMessage } from '@stoa/mail/store/messages/read.ts'
import type { Tables } from '@stoa/mail/tables.ts'
import { createGoals, type Goals } from '../goals.ts'
import { type BenchServer, median, startServer } from '../harness.ts'
import { fillMailbox, log } from '../store/seed.ts'
import { environmentOf } from './environment.ts'
import { newsletter } from './letters.ts'

const MAX_LIST_MS = 15
const MAX_SEARCH_MS = 200
const MAX_READ_MS = 20
const MESSAGES = 100_000
const REQUESTS = 200
const LETTERS = 80
/** Read before, so that the code is compiled. */
const WARM_UPS = 20
const LETTER_BYTES = 100_000

/** Lists of fifty out of a hundred thousand messages, and reading of newsletters, one request after the other. */
export const run = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-webmail-'))
  const postgres = await startPostgres({ folder: join(folder, 'postgres') })
  const url = await ensureDatabase(postgres, 'mail')
  await migrate(url, migrationsFolder, log)
  const database = openDatabase<Tables>({ url, poolSize: 4, log, statementTimeoutMs: 300_000 })
  const server = await startServer(new URL('./webmail-server.ts', import.meta.url), [url, folder])
  try {
    const { id, email } = await plantAddress(database, 'bob@ours.test')
    const folders = await listFolders(database.db, id)
    const inboxId = folders.find(({ role }) => role === 'inbox')?.id ?? ''
    const archiveId = folders.find(({ role }) => role === 'archive')?.id ?? ''
    await fillMailbox({ database, close: () => database.close() }, { addressId: id, inboxId, archiveId }, MESSAGES)
    const letters = await plantLetters(database, { addressId: id, folderId: archiveId, url, folder })
    const client = await signIn(server.port, email)
    const goals = createGoals()
    await measureLists(goals, { server, client }, inboxId)
    await measureReading(goals, { server, client }, letters)
    client.close()
    goals.finish()
  } finally {
    await server.stop()
    await database.close()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const plantLetters = async (
  database: MailDatabase,
  { addressId, folderId, url, folder }: { addressId: string; folderId: string; url: string; folder: string },
): Promise<string[]> => {
  const blobs = await openBlobs(readConfig(environmentOf(url, folder)).storage)
  const ids: string[] = []
  for (let number = 0; number < LETTERS + WARM_UPS; number += 1) {
    const bytes = Buffer.from(newsletter(number, LETTER_BYTES))
    const { key, size } = await blobs.put(bytes, { maxBytes: 1_000_000 })
    const now = new Date()
    const message = { addressId, blob: { key, size }, prefix: Buffer.alloc(0), read: readMessage(bytes) }
    const place = { folderIds: [folderId], keywords: [], receivedAt: now, now, quotaBytes: null }
    ids.push((await database.tx((tx) => addMessage(tx, { ...message, ...place }))).messageId)
  }
  await blobs.close()
  return ids
}

/** What is listed, and in how many milliseconds. */
const LISTS: readonly (readonly [string, string, number])[] = [
  ['newest', '', MAX_LIST_MS],
  ['conversations', '&collapse_threads=1', MAX_LIST_MS],
  ['unread', '&unread=1', MAX_LIST_MS],
  ['page 100', '&page=100', MAX_SEARCH_MS],
  ['from:sender42', '&search=from:sender42', MAX_SEARCH_MS],
  ['word77 has:attachment', '&search=word77%20has:attachment', MAX_SEARCH_MS],
]

type Sides = { server: BenchServer; client: Client }

const measureLists = async (goals: Goals, { server, client }: Sides, inboxId: string): Promise<void> => {
  for (const [name, query, maxMs] of LISTS) {
    const path = `/api/mail/messages?folder_id=${inboxId}&per_page=50${query}`
    const ask = async (): Promise<number> => {
      const { text, ms } = await client.get(path)
      if (!text.includes('"preview"')) throw new Error(text.slice(0, 500))
      return ms
    }
    for (let index = 0; index < WARM_UPS; index += 1) await ask()
    const asks = Array.from({ length: REQUESTS }, () => ask)
    report(goals, `list of 50 from ${MESSAGES}, ${name}`, await measure(server, asks), maxMs)
  }
}

const measureReading = async (goals: Goals, { server, client }: Sides, letters: readonly string[]): Promise<void> => {
  const read = async (id: string, query: string): Promise<number> => {
    const { text, ms } = await client.get(`/api/mail/messages/${id}${query}`)
    if (!text.includes('m_mail')) throw new Error(text.slice(0, 500))
    return ms
  }
  for (const id of letters.slice(0, WARM_UPS)) await read(id, '')
  const asks = (query: string) => letters.slice(WARM_UPS).map((id) => () => read(id, query))
  const what = `reading ${LETTER_BYTES / 1000} KB of HTML`
  report(goals, `${what} for the first time`, await measure(server, asks('')), MAX_READ_MS)
  report(goals, `${what} again`, await measure(server, asks('')), MAX_READ_MS)
  report(goals, `${what} with its pictures`, await measure(server, asks('?images=1')), MAX_READ_MS)
}

type Measured = { times: number[]; cpuMs: number }

const measure = async (server: BenchServer, asks: readonly (() => Promise<number>)[]): Promise<Measured> => {
  const before = await server.cpuSeconds()
  const times: number[] = []
  for (const ask of asks) times.push(await ask())
  return { times, cpuMs: (((await server.cpuSeconds()) - before) * 1000) / asks.length }
}

const report = (goals: Goals, what: string, { times, cpuMs }: Measured, maxMs: number): void => {
  const p95 = times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * 0.95)] ?? Number.NaN
  goals.check(
    `${what}: p50 ${median(times).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, ${cpuMs.toFixed(1)} ms CPU each without PostgreSQL; ` +
      `${times.length} requests`,
    median(times),
    maxMs,
  )
}

type Client = { get(path: string): Promise<{ text: string; ms: number }>; close(): void }

const signIn = async (port: number, email: string): Promise<Client> => {
  const answer = await fetch(`http://127.0.0.1:${port}/api/mail/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: MAILBOX_PASSWORD }),
  })
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const agent = new Agent({ keepAlive: true })
  return {
    close: () => agent.destroy(),
    get: (path) =>
      new Promise((resolve, reject) => {
        const begun = performance.now()
        const sent = request({ agent, host: '127.0.0.1', port, path, headers: { cookie } }, (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () =>
            resolve({ text: Buffer.concat(chunks).toString('utf8'), ms: performance.now() - begun }),
          )
        })
        sent.on('error', reject)
        sent.end()
      }),
  }
}
