import { readFile } from 'node:fs/promises'
import { createTestClock, type TestClock } from '@stoa/kit/clock.ts'
import { createSealer, type Sealer } from '@stoa/kit/crypto/seal.ts'
import { type Database, openDatabase } from '@stoa/kit/db/database.ts'
import { createEgress } from '@stoa/kit/egress/egress.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { Secret } from '@stoa/kit/secret.ts'
import type { WebhookContext } from '@stoa/kit/webhooks/attempt.ts'
import { createEndpoint, type Endpoint, type NewEndpoint } from '@stoa/kit/webhooks/endpoints.ts'
import type { WebhookPolicy } from '@stoa/kit/webhooks/policy.ts'
import { newSigningSecret } from '@stoa/kit/webhooks/sign.ts'
import type { WebhookTables } from '@stoa/kit/webhooks/tables.ts'
import { freshDatabase } from './cluster.ts'

export type WebhookGround = {
  database: Database<WebhookTables>
  sealer: Sealer
  clock: TestClock
  /** An endpoint of owner `one` that by default subscribes to everything. */
  endpoint(input?: Partial<NewEndpoint>): Promise<Endpoint & { secret: string }>
  context(changes?: Partial<WebhookContext<WebhookTables>>): WebhookContext<WebhookTables>
  /** All rows of a statement, for looking behind the functions. */
  rows(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

export const testPolicy: WebhookPolicy = {
  retryAfterMs: [10_000, 60_000],
  jitter: 0,
  timeoutMs: 5_000,
  testTimeoutMs: 2_000,
  testFailureFloorMs: 50,
  disableAfter: {},
  keep: {},
  headerFamilies: ['webhook'],
  userAgent: 'test-webhooks/1',
  maxRedirects: 0,
}

/** A database with the webhook tables, a clock that stands still, and an egress that may reach loopback. */
export const openWebhookGround = async (): Promise<WebhookGround> => {
  const { url, drop } = await freshDatabase()
  const log = createLogger({ name: 'test', level: 'silent' })
  const database = openDatabase<WebhookTables>({ url, poolSize: 8, log })
  const tables = new URL(import.meta.resolve('@stoa/kit/webhooks/tables.ts').replace(/\.ts$/, '.sql'))
  await database.pool.query(await readFile(tables, 'utf8'))
  const clock = createTestClock(new Date('2026-03-01T12:00:00Z'))
  const sealer = createSealer({ current: new Secret('a secret of more than thirty-two characters') }, 'webhook')
  const egress = createEgress({ ports: [], allowPrivate: true })

  return {
    database,
    sealer,
    clock,
    async endpoint(input = {}) {
      const secret = input.secret ?? newSigningSecret(24)
      const endpoint = await database.tx((tx) =>
        createEndpoint(tx, sealer, {
          owner: 'one',
          url: 'http://127.0.0.1:9/',
          events: ['*'],
          secretHint: 'hint',
          now: clock.now(),
          ...input,
          secret,
        }),
      )
      return { ...endpoint, secret: secret.reveal() }
    },
    context: (changes = {}) => ({ database, egress, policy: testPolicy, sealer, now: clock.now, log, ...changes }),
    rows: async (text, values = []) => (await database.pool.query(text, values)).rows,
    async close() {
      await database.close()
      await drop()
    },
  }
}
