import { setTimeout as sleep } from 'node:timers/promises'
import { type FakeWebhook, startFakeWebhook } from '@stoa/tests/lib/fake-webhook.ts'
import { serviceDatabase } from '@stoa/tests/lib/service-database.ts'
import { checkPublications } from '../entry-load.ts'
import { must, type Report } from '../outcomes.ts'
import { until, untilReady } from '../readiness.ts'
import { type ServiceProcess, startService } from '../service-process.ts'
import { addEntry, addWebhook, each, prepareSite, publish, type Site } from '../site.ts'
import { type Look, openLook } from '../table.ts'

const ENDPOINTS = 4
/** Longer than the 40 s of a delivery's lease, and than the 10 s that a transaction may stand still. */
const MAX_WAIT_MS = 70_000
const SETTLE_MS = 200
/** Long enough for a busy machine to stop the worker before it is notified. */
const ANSWER_MS = 3_000
/** The result came too late, or was lost with the transaction that held it; either way nothing is recorded. */
const DROPPED = /a late webhook result was dropped|a webhook delivery could not be handled/

export type LateWorkerOptions = {
  deliveries?: number
  /** Freezes in the middle of scheduled publication, and how many entries are due at each. */
  freezes?: number
  entries?: number
  /** Otherwise what the time would end is ended in the tables. */
  waitsForLeases?: boolean
}

type Ground = {
  late: ServiceProcess
  env: Record<string, string>
  site: Site
  look: Look
  receiver: FakeWebhook
  waitsForLeases: boolean
}

/** A worker stands still past its lease and then goes on: another one has done its work, and it changes nothing. */
export const lateWorker = async (options: LateWorkerOptions = {}): Promise<Report> => {
  const { deliveries = 40, freezes = 5, entries = 100, waitsForLeases = true } = options
  const database = await serviceDatabase('cms')
  const receiver = await startFakeWebhook()
  const env = { CMS_DATABASE_URL: database.url, WEBHOOK_ALLOW_PRIVATE: 'true', LOG_LEVEL: 'info' }
  const late = await startService('cms', env)
  const look = openLook(database.url)
  const site = await prepareSite(late.url)
  const secrets: string[] = []
  for (let at = 0; at < ENDPOINTS; at += 1) secrets.push(await addWebhook(late.url, site, `${receiver.url}/${at}`))
  receiver.trust(...secrets)
  const ground: Ground = { late, env, site, look, receiver, waitsForLeases }
  try {
    const { other, ...delivered } = await lateDelivery(ground, deliveries / ENDPOINTS)
    const published = await latePublication(ground, other, { freezes, entries })
    await Promise.all([late.stop(), other.stop()])
    return {
      figures: { ...delivered.figures, ...published.figures },
      broken: [...receiver.problems, ...delivered.broken, ...published.broken],
    }
  } finally {
    // A process that stands still would outlive this one.
    late.thaw()
    await late.kill()
    await receiver.close()
    await look.close()
    await database.drop()
  }
}

const lateDelivery = async ({ late, env, site, look, receiver, waitsForLeases }: Ground, entries: number) => {
  receiver.script(() => ({ delayMs: ANSWER_MS }))
  await each(entries, async (at) => void (await publish(late.url, site, await addEntry(late.url, site, `Late ${at}`))))
  await until('deliveries are under way', () => receiver.pending() > 0)
  late.freeze()
  receiver.script(() => undefined)
  // What the server was doing for it comes to its end.
  await sleep(SETTLE_MS)
  const held = await look.rows<{ id: string }>(`select id from webhook_delivery where status = 'attempting'`)
  const ids = held.map(({ id }) => id)
  if (!waitsForLeases) {
    await look.count(END_IDLE)
    await look.rows(`update webhook_delivery set next_attempt_at = now() where id = any($1)`, [ids])
  }
  const other = await startService('cms', env)
  const leaseMs = await until(
    'the other process has delivered everything',
    async () => (await look.count(UNDELIVERED)) === 0,
    {
      limitMs: MAX_WAIT_MS,
    },
  )
  const before = await stateOf(look)
  late.thaw()
  const dropped = () => late.log.filter((line) => DROPPED.test(line)).length
  await until('late results were dropped', () => dropped() >= ids.length).catch(() => 0)
  const broken: string[] = []
  if (ids.length === 0) broken.push('nothing was under way when the worker was stopped')
  if (dropped() !== ids.length) broken.push(`${dropped()} late results were dropped of ${ids.length}`)
  if ((await stateOf(look)) !== before) broken.push('a late result changed a delivery')
  broken.push(...(await checkAttempts(look, receiver)))
  return {
    other,
    figures: {
      deliveries: await look.count('select count(*) from webhook_delivery'),
      held: ids.length,
      dropped: dropped(),
      lease_ms: Math.round(leaseMs),
    },
    broken,
  }
}

const UNDELIVERED = `select count(*) from webhook_delivery where status <> 'success'`

const stateOf = async (look: Look): Promise<string> =>
  JSON.stringify([
    await look.rows('select * from webhook_delivery order by id'),
    await look.rows('select * from webhook_attempt order by id'),
  ])

/** Each attempt reached the receiver once at most, and what was recorded reached it. */
const checkAttempts = async (look: Look, receiver: FakeWebhook): Promise<string[]> => {
  const rows = await look.rows<{ id: string; attempts: number }>('select id, attempts from webhook_delivery')
  const received = Map.groupBy(receiver.received, ({ id }) => id)
  return rows.flatMap(({ id, attempts }) => {
    const times = received.get(id)?.length ?? 0
    return times >= 1 && times <= attempts ? [] : [`delivery ${id} came ${times} times in ${attempts} attempts`]
  })
}

const DUE = 'select count(*) from entry where publish_at is not null'
/** What the server does by itself to a transaction that stands still. */
const END_IDLE = `select count(pg_terminate_backend(pid)) from pg_stat_activity
  where datname = current_database() and state like 'idle in transaction%'`
const IDLE = `select count(*) from pg_stat_activity
  where datname = current_database() and state like 'idle in transaction%'`

type Freezing = { freezes: number; entries: number }

const latePublication = async (ground: Ground, other: ServiceProcess, { freezes, entries }: Freezing) => {
  const { late, site, look, receiver, waitsForLeases } = ground
  receiver.script(() => undefined)
  const broken: string[] = []
  let locked = 0
  let longest = 0
  for (let freeze = 0; freeze < freezes; freeze += 1) {
    await schedule(other.url, site, { entries, name: `Round ${freeze}` })
    await until('publication has begun', async () => (await look.count(DUE)) < entries, { everyMs: 5 })
    late.freeze()
    await sleep(SETTLE_MS)
    locked += await look.count(IDLE)
    if (!waitsForLeases) await look.count(END_IDLE)
    const done = until('the other process publishes the rest', async () => (await look.count(DUE)) === 0, {
      limitMs: MAX_WAIT_MS,
    })
    longest = Math.max(longest, await done)
    late.thaw()
    await untilReady(late.url)
    broken.push(...(await checkPublications(look)))
  }
  await sleep(1_000)
  broken.push(...(await checkPublications(look)))
  if (late.hasExited()) broken.push('the late process ended')
  return { figures: { freezes, entries, frozen_in_transactions: locked, published_ms: Math.round(longest) }, broken }
}

const schedule = async (
  url: string,
  site: Site,
  { entries, name }: { entries: number; name: string },
): Promise<void> => {
  const began = Date.now()
  const ids: string[] = []
  await each(entries, async (at) => void ids.push(await addEntry(url, site, `${name} ${at}`)))
  const at = new Date(Date.now() + 800 + (Date.now() - began) * 1.5).toISOString()
  await each(entries, async (index) => {
    const body = { action: 'publish', at }
    await must(`${url}/api/entries/${ids[index]}/status`, { method: 'POST', token: site.token, body })
  })
}
