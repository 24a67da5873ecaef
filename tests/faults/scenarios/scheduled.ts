import { setTimeout as sleep } from 'node:timers/promises'
import { type FakeWebhook, startFakeWebhook } from '@stoa/tests/lib/fake-webhook.ts'
import { serviceDatabase } from '@stoa/tests/lib/service-database.ts'
import { checkPublications } from '../entry-load.ts'
import { within } from '../limits.ts'
import { memberOf, must, type Report } from '../outcomes.ts'
import { until } from '../readiness.ts'
import { type ServiceProcess, startTwo } from '../service-process.ts'
import { addEntry, addWebhook, each, prepareSite } from '../site.ts'
import { type Look, openLook } from '../table.ts'

const MAX_DONE_MS = within(10_000)
/** A delivery whose process was killed is due again when its lease ends. */
const MAX_LEASE_MS = 60_000
const DUE = 'select count(*) from entry where publish_at is not null'

export type ScheduledOptions = {
  entries?: number
  kills?: number
  /** Waits for deliveries that killed processes had begun, too. */
  awaitLeases?: boolean
  /** Killed processes come back; otherwise the other one does all. */
  comesBack?: boolean
}

/** Many entries are due in the same second while the processes that publish them are killed. */
export const scheduled = async (options: ScheduledOptions = {}) => {
  const { entries = 1_000, kills = 20, awaitLeases = true, comesBack = true } = options
  const database = await serviceDatabase('cms')
  const receiver = await startFakeWebhook()
  const env = { CMS_DATABASE_URL: database.url, WEBHOOK_ALLOW_PRIVATE: 'true' }
  const processes = await startTwo(env)
  const look = openLook(database.url)
  const { url } = processes[0]
  const site = await prepareSite(url)
  receiver.trust(await addWebhook(url, site, receiver.url))

  const began = Date.now()
  const ids: string[] = []
  await each(entries, async (at) => void ids.push(await addEntry(url, site, `Entry ${at}`)))
  const at = new Date(Date.now() + 1_000 + (Date.now() - began) * 1.5)
  const body = { action: 'publish', at: at.toISOString() }
  await each(entries, async (index) => {
    await must(`${url}/api/entries/${ids[index]}/status`, { method: 'POST', token: site.token, body })
  })
  await until('publication has begun', async () => (await look.count(DUE)) < entries, { everyMs: 3 })

  const { killedWhileDue } = await killAtRandom(processes, { kills, comesBack }, look)
  const doneAfter = await until('everything is published', async () => (await look.count(DUE)) === 0, {
    limitMs: 60_000,
  })
  const settled = awaitLeases ? "select count(*) from webhook_delivery where status <> 'success'" : UNTOUCHED
  const deliveredAfter = await until('everything is delivered', async () => (await look.count(settled)) === 0, {
    limitMs: MAX_LEASE_MS,
  })

  const broken = [...(await checkPublications(look)), ...(await checkEvents(look, receiver, ids, awaitLeases))]
  if (doneAfter > MAX_DONE_MS) broken.push(`done only ${Math.round(doneAfter)} ms after the last start`)
  await Promise.all(processes.map((service) => service.stop()))
  await receiver.close()
  await look.close()
  await database.drop()
  const report: Report = {
    figures: {
      entries,
      kills,
      kills_while_due: killedWhileDue,
      done_ms: Math.round(doneAfter),
      deliveries: receiver.received.length,
      repeated: receiver.received.length - new Set(receiver.received.map(({ id }) => id)).size,
      delivered_ms: Math.round(deliveredAfter),
    },
    broken,
  }
  return report
}

/** Deliveries that no process has ever begun. */
const UNTOUCHED = `select count(*) from webhook_delivery where status = 'pending'`

/** Comes back with the last start. */
const killAtRandom = async (
  processes: readonly ServiceProcess[],
  { kills, comesBack }: { kills: number; comesBack: boolean },
  look: Look,
) => {
  const starting = new Map<ServiceProcess, Promise<void>>()
  let killedWhileDue = 0
  for (let kill = 0; kill < kills; kill += 1) {
    if (kill > 0) await sleep(50 + Math.random() * 250)
    const victim = processes[Math.floor(Math.random() * processes.length)]
    if (!victim) continue
    await starting.get(victim)
    await victim.kill()
    if ((await look.count(DUE)) > 0) killedWhileDue += 1
    if (comesBack) starting.set(victim, victim.restart())
  }
  await Promise.all(starting.values())
  return { killedWhileDue }
}

/**
 * One event per entry, whose attempts all have its id. Upkeep may have deleted what is finished but for the last hundred: the
 * receiver has those.
 */
const checkEvents = async (look: Look, receiver: FakeWebhook, ids: readonly string[], isAllDelivered: boolean) => {
  const broken = [...receiver.problems]
  const rows = await look.rows<{ id: string; entry: string; status: string }>(
    `select id, status, payload::jsonb #>> '{data,id}' as entry from webhook_delivery where type = 'entry.published'`,
  )
  const received = receiver.received.map(({ id, json }) => ({
    id,
    entry: memberOf(Reflect.get(Object(json), 'data'), 'id'),
  }))
  const events = Map.groupBy([...rows, ...received], ({ entry }) => entry)
  for (const entry of ids) {
    const count = new Set(events.get(entry)?.map(({ id }) => id)).size
    if (count !== 1) broken.push(`entry ${entry} has ${count} events`)
  }
  if (events.size !== ids.length) broken.push(`events of ${events.size} entries instead of ${ids.length}`)
  const announced = new Set(received.map(({ entry }) => entry))
  for (const { entry, status } of rows)
    if (!announced.has(entry) && (isAllDelivered || status === 'success'))
      broken.push(`entry ${entry} was never announced`)
  return broken
}
