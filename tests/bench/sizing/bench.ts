import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureDatabase } from '@stoa/kit/postgres/databases.ts'
import { readPidFile } from '@stoa/kit/postgres/leftover-server.ts'
import { startPostgres } from '@stoa/kit/postgres/server.ts'
import { HOSTING_SECRET } from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import { polite, startRawPeer } from '@stoa/mail/sending/queue/testing/raw-peer.ts'
import { openMailboxes, plantKey } from '../../faults/mail-load.ts'
import { call } from '../../faults/outcomes.ts'
import { until } from '../../faults/readiness.ts'
import { type ServiceProcess, startService } from '../../faults/service-process.ts'
import { treeCpuSeconds } from '../../lib/cpu.ts'
import { startFakeDns } from '../../lib/fake-dns.ts'
import { freePort } from '../../lib/free-port.ts'
import { bytesIn } from '../files.ts'
import { sendAll } from '../smtp-load.ts'

const BOXES = 50
const RECEIVED = 1_000
const SENT = 500
const BATCH = 100
const WARM_UP = 300
const CONNECTIONS = 8
/** Of the text that people read; the same again with markup is about what mail without attachments is. */
const WORDS = 600
const VOCABULARY = 20_000
const SETTLE_MS = 600_000

/**
 * What the sizing table is made of: the CPU of a message that comes in and of one that leaves, of the service and of
 * PostgreSQL, with all that is done about it later, and the bytes that it takes. Durable, as in production.
 */
export const run = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-sizing-'))
  const postgres = await startPostgres({ folder })
  const url = await ensureDatabase(postgres, 'mail')
  const dns = await startFakeDns()
  dns.set('far.test', 'MX', [{ exchange: 'in.far.test', preference: 10 }])
  dns.set('in.far.test', 'A', ['127.0.0.1'])
  const peer = await startRawPeer(polite())
  const port = await freePort()
  const service = await startService('mail', {
    SECRET: HOSTING_SECRET,
    MAIL_DATABASE_URL: url,
    DATA_DIR: folder,
    SMTP_PORT: String(port),
    LIMIT_EXEMPT: '127.0.0.0/8',
    DNS_RESOLVERS: dns.address,
    SMTP_OUTBOUND_PORT: String(peer.port),
    OUTBOUND_ALLOW_PRIVATE: 'true',
    RATE_LIMIT_PER_SECOND: '100000',
  })
  const boxes = await openMailboxes(url, BOXES)
  const count = async (text: string): Promise<number> => Number((await boxes.database.pool.query(text)).rows[0].n)
  const settle = () =>
    until('the index has everything', async () => (await count('select count(*) as n from message_unindexed')) === 0, {
      limitMs: SETTLE_MS,
      everyMs: 200,
    })
  const ground = { service, cluster: join(folder, 'cluster') }
  const receive = async (total: number): Promise<void> => {
    const messages = Array.from({ length: total }, (_, nth) => messageOf(nth + Math.floor(Math.random() * 1e6)))
    const envelope = (nth: number) => ({ from: 'someone@outside.test', to: boxes.emails[nth % BOXES] ?? '' })
    await sendAll({ ports: [port], connections: CONNECTIONS, messages, envelope })
    await settle()
  }
  const token = await plantKey(boxes.database)
  const send = async (total: number): Promise<void> => {
    const before = peer.messages.length
    for (let at = 0; at < total; at += BATCH)
      await call(`${service.url}/api/emails/batch`, { method: 'POST', token, body: batchOf(at) })
    await until('all have left', () => peer.messages.length >= before + total, { limitMs: SETTLE_MS })
  }

  await receive(WARM_UP)
  await send(WARM_UP)
  const sizes = async () => ({
    database: await count('select pg_database_size(current_database()) as n'),
    blobs: await bytesIn(join(folder, 'blobs')),
  })
  const before = await sizes()
  const incoming = await costOf(ground, RECEIVED, () => receive(RECEIVED))
  const after = await sizes()
  const outgoing = await costOf(ground, SENT, () => send(SENT))
  const each = (bytes: number): string => (bytes / RECEIVED / 1_000).toFixed(1)
  const original = messageOf(1).length
  process.stdout.write(
    `in: ${incoming} for a message of ${(original / 1_000).toFixed(1)} KB, with its index\n` +
      `kept: ${each(after.database - before.database)} KB in the database, ${each(after.blobs - before.blobs)} KB in files\n` +
      `out: ${outgoing} for a mail of ${((batchOf(0)[0]?.text.length ?? 0) / 1_000).toFixed(1)} KB to one recipient\n`,
  )
  await service.stop()
  await boxes.close()
  await peer.close()
  await dns.close()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

type Ground = { service: ServiceProcess; cluster: string }

const costOf = async ({ service, cluster }: Ground, operations: number, work: () => Promise<void>): Promise<string> => {
  const postmaster = readPidFile(cluster)?.pid ?? 0
  const used = () => [treeCpuSeconds(service.pid), treeCpuSeconds(postmaster)]
  const [own = 0, database = 0] = used()
  await work()
  const [ownAfter = 0, databaseAfter = 0] = used()
  const ms = (seconds: number): string => ((seconds * 1_000) / operations).toFixed(1)
  const [mine, theirs] = [ownAfter - own, databaseAfter - database]
  return `${ms(mine + theirs)} ms CPU (${ms(mine)} + PostgreSQL ${ms(theirs)})`
}

const SYLLABLES = [
  'ba',
  'ce',
  'di',
  'fo',
  'gu',
  'han',
  'ler',
  'mit',
  'nor',
  'pes',
  'ra',
  'sti',
  'ton',
  'ver',
  'wa',
  'zel',
]
const wordOf = (rank: number): string =>
  (rank + 16).toString(16).replaceAll(/./g, (digit) => SYLLABLES[Number.parseInt(digit, 16)] ?? '')

/** Words as people use them (Zipf): a few all the time, most of them seldom. An index of words that never repeat is several times as large. */
const prose = (words: number): string =>
  Array.from({ length: words }, () => wordOf(Math.floor(VOCABULARY ** Math.random()))).join(' ')

const messageOf = (number: number): Buffer => {
  const lines = prose(WORDS)
    .replaceAll(/(.{60}\S*) /g, '$1\n')
    .split('\n')
  const html = lines.map(
    (line) => `<tr><td style="padding:0 12px;font-family:Arial,sans-serif;color:#222">${line}</td></tr>`,
  )
  const head = [
    'From: Someone <someone@outside.test>',
    'To: box@hosted.test',
    `Subject: ${prose(6)}`,
    `Message-ID: <${number}.${Math.random()}@outside.test>`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary=part',
  ]
  const parts = [
    ['--part', 'Content-Type: text/plain; charset=utf-8', '', ...lines],
    ['--part', 'Content-Type: text/html; charset=utf-8', '', '<table>', ...html, '</table>', '--part--', ''],
  ]
  return Buffer.from([...head, '', ...parts.flat()].join('\r\n'))
}

const batchOf = (from: number) =>
  Array.from({ length: BATCH }, (_, nth) => ({
    from: 'a@ours.test',
    to: `x${from + nth}@far.test`,
    subject: `Number ${from + nth}`,
    text: prose(WORDS),
  }))
