import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@stoa/kit/db/database.ts'
import { migrate } from '@stoa/kit/db/migrate.ts'
import { newId } from '@stoa/kit/ids.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { ensureDatabase } from '@stoa/kit/postgres/databases.ts'
import { startPostgres } from '@stoa/kit/postgres/server.ts'
import { migrationsFolder } from '@stoa/mail/app.ts'
import { plantAccount, plantAddress } from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import type { Tables } from '@stoa/mail/tables.ts'
import { startFakeDns } from '../../lib/fake-dns.ts'
import { median, startServer } from '../harness.ts'
import { sendAll } from './load.ts'
import { SENDER_DOMAIN, signedMessages } from './messages.ts'

const TARGET = 0.25
const TARGET_RATE = 200
const ROUNDS = 7
/** Until everything is compiled. */
const WARM_UPS = 3
const MESSAGES = 1_000
const CONNECTIONS = 16
const MAILBOXES = 50

const SCRIPT = `require ["fileinto", "imap4flags", "envelope", "variables"];
if header :contains "list-id" ["announce", "dev"] { fileinto "Lists"; stop; }
if address :domain "from" "${SENDER_DOMAIN}" { addflag "seen-before"; fileinto "Known"; stop; }
if header :matches "subject" "[*] *" { set "list" "\${1}"; fileinto "Lists/\${list}"; }`

/**
 * Messages with a signature that are received, verified, judged, filtered and committed before the answer; against a bare
 * smtp-server that writes the same bytes to the disk. PostgreSQL and the load run on the same machine.
 */
export const run = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-inbound-'))
  // Durable, as in production: what is acknowledged is on the disk.
  const postgres = await startPostgres({ folder: join(folder, 'postgres') })
  const url = await ensureDatabase(postgres, 'mail')
  const { messages, dkimRecord } = await signedMessages()
  const dns = await startFakeDns()
  dns.set(SENDER_DOMAIN, 'TXT', ['v=spf1 ip4:127.0.0.1 -all'])
  dns.set(`s1._domainkey.${SENDER_DOMAIN}`, 'TXT', [dkimRecord.match(/.{1,250}/g) ?? []])
  dns.set(`_dmarc.${SENDER_DOMAIN}`, 'TXT', ['v=DMARC1; p=reject'])
  const recipients = await plant(url)
  makeUsed(join(folder, 'blobs'))
  // As with WORKERS: one process for each core, which share nothing but the database and the blobs.
  const ours = await Promise.all(
    Array.from({ length: availableParallelism() }, () =>
      startServer(new URL('./mail-server.ts', import.meta.url), [url, join(folder, 'blobs'), dns.address]),
    ),
  )
  const bare = await startServer(new URL('./bare-server.ts', import.meta.url), [folder])
  const work = { connections: CONNECTIONS, total: MESSAGES, messages, recipients, from: `ann@${SENDER_DOMAIN}` }
  const cpuSeconds = async () =>
    (await Promise.all(ours.map((each) => each.cpuSeconds()))).reduce((sum, one) => sum + one)
  const ratios: number[] = []
  const rates: number[] = []
  const limits: number[] = []
  const costs: number[] = []
  try {
    for (let round = -WARM_UPS; round < ROUNDS; round += 1) {
      const limit = await sendAll({ ...work, ports: [bare.port] })
      const before = await cpuSeconds()
      const rate = await sendAll({ ...work, ports: ours.map(({ port }) => port) })
      const cpu = (await cpuSeconds()) - before
      if (round < 0) continue
      rates.push(rate)
      limits.push(limit)
      ratios.push(rate / limit)
      costs.push((cpu * 1_000) / MESSAGES)
    }
    process.stdout.write(
      `inbound: ${median(rates).toFixed(0)} messages/s with ${ours.length} processes (target >= ${TARGET_RATE}), ${median(costs).toFixed(2)} ms CPU each ` +
        `without PostgreSQL; ${median(ratios).toFixed(2)} of a bare smtp-server with fsync, ${median(limits).toFixed(0)}/s ` +
        `(target >= ${TARGET}; ${ROUNDS} rounds of ${MESSAGES})\n`,
    )
    await proveStored(url)
  } finally {
    for (const each of ours) await each.stop()
    await bare.stop()
    await dns.close()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A store of blobs that has been in use for a while has all its folders. */
const makeUsed = (blobs: string): void => {
  const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
  for (const first of hex) for (const second of hex) mkdirSync(join(blobs, first, second), { recursive: true })
}

const silent = createLogger({ name: 'bench', level: 'silent' })

const plant = async (url: string): Promise<string[]> => {
  await migrate(url, migrationsFolder, silent)
  const database = openDatabase<Tables>({ url, poolSize: 2, log: silent })
  const { id: accountId } = await plantAccount(database)
  const emails = Array.from({ length: MAILBOXES }, (_, index) => `box${index}@ours.test`)
  for (const email of emails) await plantAddress(database, email, { accountId })
  await database.pool.query(
    `insert into sieve_script (id, account_id, origin, name, source, enabled, created_at, updated_at)
     values ($1, $2, 'panel', 'bench', $3, true, now(), now())`,
    [newId(), accountId, SCRIPT],
  )
  await database.close()
  return emails
}

/** Everything that was acknowledged is there, where the filter put it. */
const proveStored = async (url: string): Promise<void> => {
  const database = openDatabase<Tables>({ url, poolSize: 1, log: silent })
  const { rows } = await database.pool.query(
    `select count(*)::int as count, count(*) filter (where 'seen-before' = any(keywords))::int as filtered from message`,
  )
  await database.close()
  const expected = (ROUNDS + WARM_UPS) * Math.ceil(MESSAGES / CONNECTIONS) * CONNECTIONS
  if (rows[0]?.count !== expected || rows[0]?.filtered !== expected)
    throw new Error(`stored ${rows[0]?.count}, filtered ${rows[0]?.filtered} of ${expected} messages`)
}
