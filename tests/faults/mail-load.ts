import { setTimeout as sleep } from 'node:timers/promises'
import { hashToken, newKey } from '@stoa/kit/crypto/tokens.ts'
import { type Database, openDatabase } from '@stoa/kit/db/database.ts'
import { newId } from '@stoa/kit/ids.ts'
import { createLogger } from '@stoa/kit/log.ts'
import {
  type PlantedAddress,
  plantAccount,
  plantAddress,
  plantDomain,
} from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import { checkMailbox } from '@stoa/mail/store/mailbox/check.ts'
import type { Tables } from '@stoa/mail/tables.ts'
import { connectSmtp } from '../lib/smtp-client.ts'

/** What senders outside saw of their mail. */
export type MailLoad = {
  /** Message-IDs that were answered with 250. */
  readonly acknowledged: ReadonlySet<string>
  /** How often each other code came; `cut` when the connection ended first. */
  readonly refusals: ReadonlyMap<string, number>
  /** Longest time that one try took. */
  slowestMs(): number
  /** Sends nothing new, and tries what was not acknowledged until it is. */
  finish(): Promise<void>
}

export type MailLoadOptions = {
  port: number
  recipients: readonly string[]
  perSecond: number
  bytes?: number
  /** What its Message-IDs begin with. */
  name?: string
}

/** Sends mail as a good server does: what is not answered with 250 is sent again, the same bytes. */
export const startMailLoad = (options: MailLoadOptions): MailLoad => {
  const { port, recipients, perSecond, bytes = 2_000, name = 'load' } = options
  const acknowledged = new Set<string>()
  const refusals = new Map<string, number>()
  const waiting = new Set<Promise<void>>()
  let isStopped = false
  let slowest = 0
  let count = 0

  const attempt = async (id: string, to: string): Promise<boolean> => {
    const began = performance.now()
    const code = await sendOne(port, id, to, bytes).catch(() => 'cut')
    slowest = Math.max(slowest, performance.now() - began)
    if (code === '250') return true
    refusals.set(code, (refusals.get(code) ?? 0) + 1)
    return false
  }
  const deliver = async (id: string, to: string): Promise<void> => {
    while (!(await attempt(id, to))) await sleep(RETRY_MS)
    acknowledged.add(id)
  }
  const timer = setInterval(() => {
    if (isStopped || waiting.size >= MAX_UNDER_WAY) return
    count += 1
    const work = deliver(`${name}-${process.pid}-${count}@outside.test`, recipients[count % recipients.length] ?? '')
    waiting.add(work)
    void work.finally(() => waiting.delete(work))
  }, 1_000 / perSecond)

  return {
    acknowledged,
    refusals,
    slowestMs: () => slowest,
    async finish() {
      isStopped = true
      clearInterval(timer)
      await Promise.all(waiting)
    },
  }
}

const RETRY_MS = 300
/** A server that cannot get rid of its mail takes no more: on a busy machine a start would collect hundreds. */
const MAX_UNDER_WAY = 16

/** Sends one message; gives the code that it was answered with. */
export const sendOne = async (port: number, id: string, to: string, bytes = 2_000): Promise<string> => {
  const client = await connectSmtp({ port })
  try {
    await client.say('EHLO outside.test')
    const { code } = await client.mail({ from: 'someone@outside.test', to: [to] }, messageOf(id, to, bytes))
    await client.say('QUIT').catch(() => undefined)
    return String(code)
  } finally {
    client.close()
  }
}

const messageOf = (id: string, to: string, bytes: number): string =>
  [
    'From: Someone <someone@outside.test>',
    `To: ${to}`,
    `Subject: ${id}`,
    `Message-ID: <${id}>`,
    'Date: Sun, 01 Mar 2026 12:00:00 +0000',
    '',
    `${id} `.repeat(Math.ceil(bytes / (id.length + 1))).replaceAll(/(.{70}\S*) /g, '$1\r\n'),
    '',
  ].join('\r\n')

/** Addresses to send to, and a look at what is in them. */
export const openMailboxes = async (databaseUrl: string, count: number) => {
  const log = createLogger({ name: 'faults', level: 'silent' })
  const database = openDatabase<Tables>({ url: databaseUrl, poolSize: 2, log })
  const addresses: PlantedAddress[] = []
  for (let at = 0; at < count; at += 1)
    addresses.push(
      await plantAddress(database, `box${at}@hosted.test`, addresses[0] ? { accountId: addresses[0].accountId } : {}),
    )
  return {
    emails: addresses.map(({ email }) => email),
    ids: addresses.map(({ id }) => id),
    database,
    /** What is not as it was promised: acknowledged mail that is not there, or there twice, and sums that are wrong. */
    async check({ acknowledged }: Pick<MailLoad, 'acknowledged'>): Promise<string[]> {
      const rows = await database.db.query<{ id: string; copies: number }>({
        text: `select envelope->'messageId'->>0 as id, count(*) as copies from message group by 1`,
      })
      const copies = new Map(rows.map((row) => [row.id, row.copies]))
      const lost = [...acknowledged].filter((id) => !copies.has(id))
      const twice = rows.filter((row) => row.copies > 1)
      const problems = await Promise.all(addresses.map(({ id }) => checkMailbox(database.db, id)))
      return [
        ...lost.map(() => 'an acknowledged message is not there'),
        ...twice.map(() => 'a message is there twice'),
        ...problems.flat().map((problem) => `the checker says: ${JSON.stringify(problem)}`),
      ]
    },
    close: () => database.close(),
  }
}

/** A key of an account that may send as ours.test. */
export const plantKey = async (database: Database<Tables>): Promise<string> => {
  const { id: accountId } = await plantAccount(database)
  await plantDomain(database, { accountId, name: 'ours.test' })
  const token = newKey('mk_')
  const row = { account_id: accountId, id: newId(), name: 'faults', permission: 'full_access' as const }
  const secret = { token_hash: hashToken(token), token_prefix: token.slice(0, 8) }
  await database.tx((tx) =>
    tx
      .insertInto('api_key')
      .values({ ...row, ...secret, domain_id: null, created_at: new Date(), last_used_at: null })
      .execute(),
  )
  return token
}
