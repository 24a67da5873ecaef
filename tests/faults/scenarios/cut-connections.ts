import { setTimeout as sleep } from 'node:timers/promises'
import { serviceDatabase } from '@stoa/tests/lib/service-database.ts'
import { checkEntries, startEntryLoad } from '../entry-load.ts'
import { within } from '../limits.ts'
import { answersInTime, call, type Report, summary } from '../outcomes.ts'
import { until, untilReady } from '../readiness.ts'
import { type ServiceProcess, startTwo } from '../service-process.ts'
import { addEntry, each, prepareSite, publish, type Site, TYPE } from '../site.ts'
import { listen, ticketFor } from '../sockets.ts'
import { CUT_ALL, type Look, openLook, POOL_CONNECTIONS } from '../table.ts'

const CUT_EVERY_MS = 2_000
const POOL_SIZE = 5
const LIMIT_MS = within(5_000)

/** The server ends all connections of two processes, again and again, under reads and writes. */
export const cutConnections = async ({ seconds = 60, perSecond = 40 } = {}): Promise<Report> => {
  const database = await serviceDatabase('cms')
  const env = { CMS_DATABASE_URL: database.url, DB_POOL_SIZE: String(POOL_SIZE), DELIVERY_CACHE_BYTES: '0' }
  const [service, other] = await startTwo(env)
  const look = openLook(database.url)
  const site = await prepareSite(service.url)
  const load = startEntryLoad(site, {
    writesPerSecond: perSecond / 2,
    readsPerSecond: perSecond / 2,
    url: () => (Math.random() < 0.5 ? service.url : other.url),
  })
  await until('a first publication', () => load.published.size > 0)
  let cut = 0
  for (const end = Date.now() + seconds * 1_000; Date.now() < end; await sleep(CUT_EVERY_MS))
    cut += await look.count(CUT_ALL)
  const outcomes = await load.stop()
  const broken = [...answersInTime(outcomes), ...(await checkEntries(look, load))]
  if (service.hasExited() || other.hasExited()) broken.push('a process ended')

  await untilReady(service.url)
  const delay = await delayAcross(service, other, site)
  if (delay > LIMIT_MS) broken.push('a publication at the other process was not received')
  await other.stop()
  const pool = await poolSize(service, site, look)
  if (pool !== POOL_SIZE) broken.push(`the pool has ${pool} connections of ${POOL_SIZE}`)
  await service.stop()
  await look.close()
  await database.drop()
  return {
    figures: {
      seconds,
      connections_cut: cut,
      ...summary(outcomes),
      entries: load.created.size,
      published: load.published.size,
      pool,
      notified_ms: Math.round(delay),
    },
    broken,
  }
}

/** How long until a socket at one process receives what another one publishes. */
const delayAcross = async (service: ServiceProcess, other: ServiceProcess, site: Site): Promise<number> => {
  const socket = await listen(service.url, await ticketFor(service.url, site.token), `content:${TYPE}`)
  const id = await addEntry(other.url, site, 'After the cuts')
  await publish(other.url, site, id)
  const delay = await socket.receives('entry.published', id).catch(() => Number.POSITIVE_INFINITY)
  socket.close()
  return delay
}

/** Connections of the only process that is left, right after more requests than it has places. */
const poolSize = async ({ url }: ServiceProcess, { key }: Site, look: Look): Promise<number> => {
  const read = async () => void (await call(`${url}/content/${TYPE}`, { headers: { 'x-api-key': key } }))
  await each(8 * POOL_SIZE, read, 4 * POOL_SIZE)
  return look.count(POOL_CONNECTIONS)
}
