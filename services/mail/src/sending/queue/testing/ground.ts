import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLocalBlobs } from '@stoa/kit/blobs/local.ts'
import { createTestClock } from '@stoa/kit/clock.ts'
import { openDatabase } from '@stoa/kit/db/database.ts'
import { openBus } from '@stoa/kit/events/bus.ts'
import { newId } from '@stoa/kit/ids.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { PATIENT } from '@stoa/tests/lib/cluster.ts'
import { startFakeDns } from '@stoa/tests/lib/fake-dns.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { openMailDatabase } from '../../../hosting/addresses/testing/database.ts'
import { enqueue, type NewMessage } from '../../../hosting/enqueue/enqueue.ts'
import type { Tables } from '../../../tables.ts'
import { type Outcome, startQueue } from '../queue.ts'
import { HOSTNAME, type TestChoices, testParts } from './parts.ts'

/** Any moment will do; it moves only when a test moves it. */
const START = new Date('2026-03-01T12:00:00.000Z')
export const ACCOUNT_ID = newId()
export const DOMAIN_ID = newId()

export type Row = {
  recipient: string
  state: string
  attempts: number
  next_at: Date
  last_code: number | null
  last_status: string | null
  last_reply: string | null
  last_host: string | null
  lease_token: string | null
  delay_told_at: Date | null
}

export type QueueGround = Awaited<ReturnType<typeof openGround>>

/** A database, a blob store, DNS and a clock; queues are started on them as a test needs them. */
export const openGround = async () => {
  const own = await openMailDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'stoa-queue-'))
  const blobs = await openLocalBlobs(folder)
  const dns = await startFakeDns()
  const clock = createTestClock(START)
  const logs: string[] = []
  const log = createLogger({ name: 'mail', level: 'debug', destination: { write: (line) => void logs.push(line) } })
  const open = () => openDatabase<Tables>({ url: own.url, poolSize: 4, log, ...PATIENT })
  const { database } = own
  await addAccount(database)
  const closers: (() => Promise<void>)[] = []

  const query = async <R extends Record<string, unknown>>(text: string, values: unknown[] = []): Promise<R[]> =>
    (await database.pool.query(text, values)).rows

  const ground = {
    url: own.url,
    folder,
    database,
    blobs,
    dns,
    clock,
    logs,
    query,
    outcomes: [] as Outcome[],

    /** A worker with a database connection of its own, like another process. */
    async start(port: number, parts: TestChoices = {}) {
      const mine = open()
      const bus = openBus(mine, { log })
      await bus.ready()
      const queue = startQueue(
        testParts(
          { database: mine, blobs, bus, clock, log, dnsAddress: dns.address, port },
          { onOutcome: async (_tx, outcomes) => void ground.outcomes.push(...outcomes), ...parts },
        ),
      )
      let isStopped = false
      const stop = async () => {
        if (isStopped) return
        isStopped = true
        await queue.stop()
        await bus.close()
        await mine.close()
      }
      closers.push(stop)
      return { ...queue, bus, stop }
    },

    /** Makes an SMTP fake the mail host of domains. */
    route(domain: string, hosts: readonly { host: string; address: string }[]) {
      dns.set(
        domain,
        'MX',
        hosts.map(({ host }, index) => ({ exchange: host, preference: (index + 1) * 10 })),
      )
      for (const { host, address } of hosts) dns.set(host, 'A', [address])
    },

    async send(to: string | readonly string[], message: Sample = {}): Promise<string> {
      const { text = sampleMessage(), isApi = false, ...rest } = message
      const blob = await blobs.put(Buffer.from(text, 'latin1'), { maxBytes: 1e8 })
      const recipients = (typeof to === 'string' ? [to] : to).map((address) => ({
        address,
        ...(isApi ? { bounce: bounceOf(newId()) } : {}),
      }))
      const { id } = await database.tx((tx) =>
        enqueue(tx, {
          accountId: ACCOUNT_ID,
          addressId: null,
          source: isApi ? 'api' : 'submission',
          blob,
          returnPath: 'ann@stoa.test',
          recipients,
          signingDomainId: DOMAIN_ID,
          messageId: '<1@stoa.test>',
          headerFrom: 'ann@stoa.test',
          subject: 'Hello',
          needsUtf8: false,
          needs8bit: false,
          now: clock.now(),
          ...rest,
        }),
      )
      return id
    },

    rows: (messageId: string): Promise<Row[]> =>
      query<Row>('select * from queue_recipient where message_id = $1 order by ordinal', [messageId]),

    async until(what: string, isDone: () => boolean | Promise<boolean>): Promise<void> {
      await until(isDone, () => `${what}\n${logs.slice(-5).join('')}`)
    },

    /** The rows once each of them is in one of these states. */
    async settled(messageId: string, ...states: string[]): Promise<Row[]> {
      let rows: Row[] = []
      const isDone = async () => {
        rows = await ground.rows(messageId)
        return rows.length > 0 && rows.every(({ state }) => states.includes(state))
      }
      await ground.until(`states ${states.join()}`, isDone).catch((error: unknown) => {
        throw new Error(`${String(error)} ${JSON.stringify(rows)}`)
      })
      return rows
    },

    onClose: (close: () => Promise<void>) => void closers.push(close),
    async close() {
      for (const close of closers) await close()
      await own.close()
      await dns.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
  return ground
}

/** `isApi`: sent by a program, so each recipient has a return path of its own. */
type Sample = Partial<NewMessage> & { text?: string; isApi?: boolean }

const bounceOf = (token: string) => ({ token, returnPath: `b.${token}@${HOSTNAME}` })

let messages = 0

export const sampleMessage = (): string => {
  messages += 1
  return (
    `From: Ann <ann@stoa.test>\r\nTo: you@example.test\r\nSubject: Hello ${messages}\r\n` +
    `Date: Sun, 1 Mar 2026 12:00:00 +0000\r\nMessage-ID: <${messages}@stoa.test>\r\nMIME-Version: 1.0\r\n` +
    'Content-Type: text/plain\r\n\r\nHello\r\n..two dots\r\n.one\r\nThe end\r\n'
  )
}

export const subjectOf = ({ raw }: { raw: Buffer }): string => /^Subject: (.*)\r$/m.exec(raw.toString())?.[1] ?? ''

/** How often each message arrived. */
export const arrivals = (smtp: { messages: readonly { raw: Buffer }[] }): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const mail of smtp.messages) counts.set(subjectOf(mail), (counts.get(subjectOf(mail)) ?? 0) + 1)
  return counts
}

const addAccount = async (database: ReturnType<typeof openDatabase<Tables>>): Promise<void> => {
  await database.tx((tx) =>
    tx
      .insertInto('account')
      .values({
        id: ACCOUNT_ID,
        email: 'owner@example.test',
        email_verified_at: null,
        pending_email: null,
        password_hash: 'none',
        name: null,
        company: null,
        role: 'owner',
        referral_code: 'none',
        referred_by: null,
        created_at: START,
        updated_at: START,
        last_login_at: null,
        suspended_at: null,
      })
      .execute(),
  )
}
