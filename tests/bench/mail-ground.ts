import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '@stoa/kit/db/database.ts'
import { migrate } from '@stoa/kit/db/migrate.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { migrationsFolder } from '@stoa/mail/app.ts'
import { HOSTNAME, plantAccount, plantAddress } from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import type { Tables } from '@stoa/mail/tables.ts'
import { type FakeDns, startFakeDns } from '../lib/fake-dns.ts'
import { freePort } from '../lib/free-port.ts'
import { durableDatabase } from './durable.ts'
import type { BenchServer } from './harness.ts'
import { type Measured, startMeasured } from './measured.ts'

export type MailGround = {
  readonly folder: string
  readonly database: Database<Tables>
  readonly dns: FakeDns
  readonly accountId: string
  /** The mailboxes, all of one account and domain. */
  readonly emails: readonly string[]
  /** Makes the folders of blobs that these messages will have: a store that has been in use for a while has them all. */
  prepare(messages: readonly Buffer[]): void
  /** As with WORKERS: one process for each core, which share nothing but the database and the blobs. */
  start(settings: Record<string, string>, door: 'SMTP_PORT' | 'SUBMISSIONS_PORT'): Promise<(BenchServer & Measured)[]>
  close(): Promise<void>
}

const log = createLogger({ name: 'bench', level: 'silent' })
const CLOSED = { SMTP_PORT: '0', SUBMISSION_PORT: '0', SUBMISSIONS_PORT: '0' }

/** A database that waits for the disk, mailboxes, and DNS; whatever is acknowledged is on the disk. */
export const openMailGround = async (mailboxes: number): Promise<MailGround> => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-mail-'))
  const { url, drop } = await durableDatabase()
  await migrate(url, migrationsFolder, log)
  const database = openDatabase<Tables>({ url, poolSize: 2, log, statementTimeoutMs: 120_000 })
  const dns = await startFakeDns()
  const { id: accountId } = await plantAccount(database)
  const emails = Array.from({ length: mailboxes }, (_, index) => `box${index}@ours.test`)
  for (const email of emails) await plantAddress(database, email, { accountId })
  const servers: (BenchServer & Measured)[] = []
  return {
    folder,
    database,
    dns,
    accountId,
    emails,
    prepare(messages) {
      for (const message of messages) {
        const key = createHash('sha256').update(message).digest('hex')
        mkdirSync(join(folder, 'blobs', 'mail', key.slice(0, 2), key.slice(2, 4)), { recursive: true })
      }
    },
    async start(settings, door) {
      for (let index = 0; index < availableParallelism(); index += 1) {
        const environment = {
          // The one that the keys of planted domains are sealed with.
          SECRET: 'a secret of the tests, long enough for anyone',
          MAIL_PUBLIC_URL: 'http://mail.test',
          MAIL_HOST: '127.0.0.1',
          MAIL_HOSTNAME: HOSTNAME,
          DATA_DIR: folder,
          DNS_RESOLVERS: dns.address,
          LIMIT_EXEMPT: '127.0.0.0/8',
          ...CLOSED,
          [door]: String(await freePort()),
          ...settings,
        }
        const args = [JSON.stringify(environment)]
        servers.push(await startMeasured(SERVER, { url, name: `bench-mail-${index}`, args }))
      }
      return servers
    },
    async close() {
      for (const server of servers) await server.stop()
      await dns.close()
      await database.close()
      await drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const SERVER = new URL('./mail-server.ts', import.meta.url)
