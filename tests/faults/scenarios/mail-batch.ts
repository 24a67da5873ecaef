import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, openDatabase } from '@stoa/kit/db/database.ts'
import { createLogger } from '@stoa/kit/log.ts'
import type { Tables } from '@stoa/mail/tables.ts'
import { serviceDatabase } from '../../lib/service-database.ts'
import { plantKey } from '../mail-load.ts'
import { call, type Report } from '../outcomes.ts'
import { until } from '../readiness.ts'
import { startService } from '../service-process.ts'

const WRITERS = 4
const RETRY_MS = 100
const SETTLE_MS = 60_000

/**
 * Batches that are sent while the service is killed. Half of them have an Idempotency-Key and are repeated until they are
 * answered, as a good client does; the others are tried once. Each batch is there as a whole or not at all, none twice, all
 * that were acknowledged are there, and each mail is delivered and reported once.
 */
export const mailBatch = async ({ kills = 100, mails = 20 } = {}): Promise<Report> => {
  const own = await serviceDatabase('mail')
  const folder = await mkdtemp(join(tmpdir(), 'stoa-faults-'))
  const service = await startService('mail', {
    MAIL_DATABASE_URL: own.url,
    DATA_DIR: folder,
    MAIL_ROLES: 'http,worker',
    MAIL_HOSTNAME: 'mx.stoa.test',
    RATE_LIMIT_PER_SECOND: '100000',
    DNS_RESOLVERS: '127.0.0.1:1',
  })
  const log = createLogger({ name: 'faults', level: 'silent' })
  const database = openDatabase<Tables>({ url: own.url, poolSize: 2, log })
  const load = startBatches(service.url, await plantKey(database), mails)
  await until('a first batch', () => load.acknowledged.size > 0)
  for (let kill = 0; kill < kills; kill += 1) {
    await sleep(100 + Math.random() * 800)
    await service.kill()
    await service.restart()
  }
  await load.finish()
  await finished(database)
  const { lost, doubled, broken } = await check(database, load, mails)
  const exit = await service.stop()
  if (exit !== 0) broken.push(`the service ended with ${exit}`)
  await database.close()
  await own.drop()
  await rm(folder, { recursive: true, force: true })
  const figures = {
    kills,
    batches: load.tried.size,
    acknowledged: load.acknowledged.size,
    cut: load.cut(),
    lost,
    doubled,
  }
  return { figures, broken }
}

type Load = {
  /** Names of the batches that were sent at all, and of those that were answered with 200. */
  readonly tried: ReadonlySet<string>
  readonly acknowledged: ReadonlySet<string>
  readonly odd: readonly string[]
  cut(): number
  finish(): Promise<void>
}

const startBatches = (url: string, token: string, mails: number): Load => {
  const tried = new Set<string>()
  const acknowledged = new Set<string>()
  const odd: string[] = []
  let cuts = 0
  let isStopped = false

  const attempt = async (name: string, headers: Record<string, string>): Promise<boolean> => {
    const { status, code } = await call(`${url}/api/emails/batch`, {
      method: 'POST',
      token,
      headers,
      body: batchOf(name, mails),
    })
    if (status === 200) acknowledged.add(name)
    else if (status === 'cut' || status === 503) cuts += 1
    else if (code !== 'concurrent_idempotent_requests') odd.push(`a batch was answered ${status} ${code}`)
    return status === 200
  }
  const write = async (writer: number): Promise<void> => {
    for (let count = 0; !isStopped; count += 1) {
      const name = `${writer}-${count}`
      tried.add(name)
      const isRepeated = writer % 2 === 0
      const headers: Record<string, string> = isRepeated ? { 'idempotency-key': name } : {}
      while (!(await attempt(name, headers)) && isRepeated) await sleep(RETRY_MS)
      await sleep(RETRY_MS)
    }
  }
  const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer))
  return {
    tried,
    acknowledged,
    odd,
    cut: () => cuts,
    async finish() {
      isStopped = true
      await Promise.all(writers)
    },
  }
}

const batchOf = (name: string, mails: number) =>
  Array.from({ length: mails }, (_, at) => ({
    from: 'a@ours.test',
    to: `delivered+${name}-${at}@simulator.mx.stoa.test`,
    subject: `Mail ${at} of ${name}`,
    text: 'Hello',
    tags: [{ name: 'batch', value: name }],
  }))

/** Mail that a killed process had taken waits for its lease; the run does not. */
const finished = async ({ pool }: Database<Tables>): Promise<void> => {
  await until(
    'everything is delivered',
    async () => {
      await pool.query(`update queue_recipient set next_at = now() where state in ('sending', 'deferred')`)
      const { rows } = await pool.query('select 1 from queue_recipient where finished_at is null limit 1')
      return rows.length === 0
    },
    { limitMs: SETTLE_MS, everyMs: 200 },
  )
}

const check = async ({ pool }: Database<Tables>, load: Load, size: number) => {
  const { rows } = await pool.query<{ batch: string; mails: number; different: number }>(
    `select tags -> 0 ->> 'value' as batch, count(*)::int as mails, count(distinct subject)::int as different
     from email group by 1`,
  )
  const found = new Map(rows.map((row) => [row.batch, row]))
  const lost = [...load.acknowledged].filter((name) => !found.has(name)).length
  const doubled = rows.filter(({ mails, different }) => mails > different).length
  const halves = rows.filter(({ different }) => different !== size).length
  const { rows: odd } = await pool.query<{ what: string; count: number }>(
    `select 'mails that are not delivered' as what, count(*)::int from email where status <> 'delivered'
     union all select 'mails reported as delivered other than once', count(*)::int from (
       select from email e left join email_event v
         on v.account_id = e.account_id and v.email_id = e.id and v.type = 'delivered'
       group by e.account_id, e.id having count(v.id) <> 1) wrong
     union all select 'mails sent other than once', count(*)::int from (
       select from email e left join email_event v on v.account_id = e.account_id and v.email_id = e.id and v.type = 'sent'
       group by e.account_id, e.id having count(v.id) <> 1) wrong
     union all select 'mails without a message in the queue', count(*)::int from email e
       where not exists (select from queue_message m where m.id = e.id)
     union all select 'messages without a mail', count(*)::int from queue_message m
       where not exists (select from email e where e.id = m.id)
     union all select 'mails that were not counted', abs((select count(*) from email) - (select total from email_count))::int
     union all select 'recipients that were not counted',
       abs((select count(*) from queue_recipient) - (select sum(recipients) from sending_day))::int`,
  )
  return {
    lost,
    doubled,
    broken: [
      ...(lost > 0 ? [`${lost} batches were lost`] : []),
      ...(doubled > 0 ? [`${doubled} batches are there twice`] : []),
      ...(halves > 0 ? [`${halves} batches are there in part`] : []),
      ...odd.filter(({ count }) => count > 0).map(({ what, count }) => `${count} ${what}`),
      ...load.odd,
    ],
  }
}
