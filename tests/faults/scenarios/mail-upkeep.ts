import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLocalBlobs } from '@stoa/kit/blobs/local.ts'
import { openDatabase } from '@stoa/kit/db/database.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { plantAddress } from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import { putMessage } from '@stoa/mail/store/blobs/blobs.ts'
import { listFolders } from '@stoa/mail/store/folders/folders.ts'
import { addMessage } from '@stoa/mail/store/messages/messages.ts'
import { readMessage } from '@stoa/mail/store/messages/read.ts'
import type { Tables } from '@stoa/mail/tables.ts'
import { unzipSync } from 'fflate'
import pg from 'pg'
import { serviceDatabase } from '../../lib/service-database.ts'
import { type CallOptions, memberOf, must, type Report } from '../outcomes.ts'
import { until } from '../readiness.ts'
import { type ServiceProcess, startService } from '../service-process.ts'
import { type Look, openLook } from '../table.ts'

const PASSWORD = 'correct horse battery'
const WORK_MS = 120_000

/**
 * What processes of the mail service do by themselves, while they are killed: automatic backups are made once and only as
 * many are kept as the settings say, a place that can't be written is reported in Health, and an export goes on in another
 * process until it is whole.
 */
export const mailUpkeep = async ({ kills = 10, messages = 2_000, failsLast = true } = {}): Promise<Report> => {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-faults-'))
  const place = join(folder, 'backups')
  const own = await serviceDatabase('mail')
  const look = openLook(own.url)
  const start = (BACKUP_TO = place): Promise<ServiceProcess> =>
    startService('mail', {
      MAIL_DATABASE_URL: own.url,
      DATA_DIR: folder,
      MAIL_ROLES: 'http,worker',
      DNS_RESOLVERS: '127.0.0.1:1',
      BACKUP_TO,
      BACKUP_EVERY: '1',
      BACKUP_KEEP: '1',
    })
  const broken: string[] = []
  const two = await Promise.all([start(), start()])
  await untilBackups(look, 1)
  const [first] = two
  const person = await signUp(first)
  const bodies = await fillMailbox(own.url, { folder, accountId: person.accountId, messages })
  await two[1].stop()
  await makeBackupDue(look)

  let gate = await holdExports(own.url, look)
  const { id } = await person.ask(first, '/api/exports', {
    method: 'POST',
    body: { format: 'mbox', password: PASSWORD },
  })
  for (let kill = 1; kill <= kills; kill += 1) {
    await gate.begun()
    if (kill % 2 === 0) {
      await gate.release()
      await sleep(Math.random() * MOST_LATER_MS)
    }
    await first.kill()
    if (kill % 2 === 1) await gate.release()
    // What thirty seconds do.
    await look.rows('update mail_export set next_at = now() where next_at is not null')
    const isOver = (await look.count(UNFINISHED)) === 0
    if (kill === kills || isOver) break
    gate = await holdExports(own.url, look)
    await first.restart()
  }
  let [, worker] = two
  await worker.restart()
  await until('the export is over', async () => (await look.count(UNFINISHED)) === 0, { limitMs: WORK_MS })
  const { status } = await person.ask(worker, `/api/exports/${id}`)
  if (status !== 'completed') broken.push(`the export is ${status}`)
  const exported = messagesOf(await person.download(worker, `/api/exports/${id}/download`))
  const missing = bodies.filter((body) => !exported.has(body))
  if (missing.length > 0 || exported.size !== bodies.length)
    broken.push(`the export has ${exported.size} of ${bodies.length} messages, ${missing.length} are missing`)

  await untilBackups(look, 2)
  const kept = await until('old backups are removed', async () => (await backupsIn(place)) === 1).catch(() => null)
  if (kept === null) broken.push(`${await backupsIn(place)} backups are kept instead of 1`)
  await worker.stop()

  if (failsLast) {
    await makeBackupDue(look)
    // A file stands where the folder has to be.
    await writeFile(join(folder, 'occupied'), '')
    worker = await start(join(folder, 'occupied'))
    await untilBackups(look, 3)
    const health = await person.ask(worker, '/api/instance/health/check', { method: 'POST' })
    const reported = JSON.stringify(health.checks?.find((check) => check.id === 'backups'))
    if (!/last attempt failed/.test(reported)) broken.push(`Health says of the failed backup: ${reported}`)
    await worker.stop()
  }
  const made = await look.count('select count(*) from backup_run')
  const due = failsLast ? 3 : 2
  if (made !== due) broken.push(`${made} backups were tried instead of ${due}`)

  await look.close()
  await own.drop()
  await rm(folder, { recursive: true, force: true })
  return { figures: { kills, exported: exported.size, backups: made }, broken }
}

const untilBackups = (look: Look, count: number): Promise<number> =>
  until(
    `${count} backups have ended`,
    async () => (await look.count('select count(*) from backup_run where finished_at is not null')) >= count,
    { limitMs: WORK_MS },
  )

/** What two hours do. */
const makeBackupDue = (look: Look) => look.rows(`update backup_run set started_at = started_at - interval '2 hours'`)

const backupsIn = async (place: string): Promise<number> =>
  (await readdir(join(place, 'mail/backups')).catch(() => [])).length

const UNFINISHED = 'select count(*) from mail_export where next_at is not null'
const HELD = `select count(*) from mail_export, pg_locks
  where status = 'running' and relation = 'message'::regclass and not granted`
const MOST_LATER_MS = 300

/** Keeps an export that has begun from its messages. */
const holdExports = async (url: string, look: Look) => {
  const gate = new pg.Client({ connectionString: url })
  await gate.connect()
  await gate.query('begin; lock table message in access exclusive mode')
  return {
    begun: () => until('the export has begun', async () => (await look.count(HELD)) > 0, { limitMs: WORK_MS }),
    release: () => gate.end(),
  }
}

type Export = { id: string; status: string; checks?: { id: string }[] }

/** The owner of the instance, at whichever process. */
const signUp = async (service: ServiceProcess) => {
  const response = await fetch(`${service.url}/api/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'owner@example.test', password: PASSWORD }),
  })
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const headersOf = ({ url }: ServiceProcess) => ({ cookie, origin: url })
  return {
    accountId: memberOf(await response.json(), 'id'),
    ask: async (at: ServiceProcess, path: string, options: CallOptions = {}) =>
      (await must(at.url + path, { ...options, headers: headersOf(at) })) as Export,
    /** In two parts, as after a download that broke off. */
    async download(at: ServiceProcess, path: string): Promise<Buffer> {
      const part = async (range: string): Promise<Buffer> => {
        const answer = await fetch(at.url + path, { headers: { ...headersOf(at), range } })
        const bytes = Buffer.from(await answer.arrayBuffer())
        if (answer.status !== 206)
          throw new Error(`${path} came to ${answer.status}: ${bytes.toString('latin1', 0, 1_000)}`)
        return bytes
      }
      return Buffer.concat([await part('bytes=0-999'), await part('bytes=1000-')])
    },
  }
}

type Filling = { folder: string; accountId: string; messages: number }

/** Gives the texts of the messages. */
const fillMailbox = async (url: string, { folder, accountId, messages }: Filling): Promise<string[]> => {
  const log = createLogger({ name: 'faults', level: 'silent' })
  const database = openDatabase<Tables>({ url, poolSize: 2, log })
  const blobs = await openLocalBlobs(join(folder, 'blobs/mail'))
  const address = await plantAddress(database, 'box@hosted.test', { accountId })
  const inbox = (await listFolders(database.db, address.id)).find(({ role }) => role === 'inbox')?.id ?? ''
  const texts: string[] = []
  for (let number = 0; number < messages; number += 1) {
    const text = `message ${number} `.repeat(50).trim()
    const bytes = Buffer.from(`Subject: Number ${number}\r\n\r\n${text}\r\n`)
    const blob = await putMessage(blobs, bytes, { maxBytes: 1_000_000 })
    const now = new Date()
    const stored = { blob, prefix: Buffer.alloc(0), read: readMessage(bytes), keywords: [], receivedAt: now, now }
    await database.tx((tx) =>
      addMessage(tx, { ...stored, addressId: address.id, folderIds: [inbox], quotaBytes: null }),
    )
    texts.push(text)
  }
  await database.close()
  return texts
}

/** The texts in the mbox files of an archive, read by nothing of ours. */
const messagesOf = (archive: Buffer): Set<string> => {
  const files = Object.values(unzipSync(archive)).map((bytes) => Buffer.from(bytes).toString())
  const messages = files.flatMap((file) => file.split(/^From .*\n/m).slice(1))
  return new Set(messages.map((message) => message.slice(message.search(/\r?\n\r?\n/)).trim()))
}
