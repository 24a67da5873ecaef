import { setTimeout as sleep } from 'node:timers/promises'
import { serviceDatabase } from '@stoa/tests/lib/service-database.ts'
import { startTcpProxy, throughProxy } from '@stoa/tests/lib/tcp-proxy.ts'
import { checkEntries, startEntryLoad } from '../entry-load.ts'
import { within } from '../limits.ts'
import { answersInTime, call, isSuccess, type Report, summary } from '../outcomes.ts'
import { until, untilNotReady, untilReady } from '../readiness.ts'
import { startService } from '../service-process.ts'
import { prepareSite, TYPE } from '../site.ts'
import { openLook, POOL_CONNECTIONS } from '../table.ts'

const POOL_SIZE = 5
const AFTERWARDS = 4 * POOL_SIZE
const MAX_NOTICE_MS = within(5_000)

/**
 * The line to the database goes dead without being cut. Requests end with 503 within 10 s; afterwards all is well. A service
 * that is stopped while the line is dead is gone as soon.
 */
export const deadLine = async ({ seconds = 60, requestsPerSecond = 50 } = {}): Promise<Report> => {
  const database = await serviceDatabase('cms')
  const target = new URL(database.url)
  const line = await startTcpProxy({ host: target.hostname, port: Number(target.port) })
  const service = await startService('cms', {
    CMS_DATABASE_URL: throughProxy(database.url, line),
    DB_POOL_SIZE: String(POOL_SIZE),
    // Every read asks the database.
    DELIVERY_CACHE_BYTES: '0',
  })
  const look = openLook(database.url)
  const site = await prepareSite(service.url)
  const half = requestsPerSecond / 2
  const load = startEntryLoad(site, { writesPerSecond: half, readsPerSecond: half, url: () => service.url })
  await until('a first publication', () => load.published.size > 0)
  line.freeze()
  const noticed = await untilNotReady(service.url)
  await sleep(seconds * 1_000)
  line.thaw()
  const recovery = await untilReady(service.url)
  const outcomes = await load.stop()
  const broken = answersInTime(outcomes)
  if (noticed > MAX_NOTICE_MS) broken.push(`/readyz took ${Math.round(noticed)} ms to notice`)

  const afterwards = await Promise.all(
    Array.from({ length: AFTERWARDS }, () =>
      call(`${service.url}/content/${TYPE}`, { headers: { 'x-api-key': site.key } }),
    ),
  )
  const good = afterwards.filter(isSuccess).length
  if (good < AFTERWARDS) broken.push(`${AFTERWARDS - good} of ${AFTERWARDS} requests failed after the line was back`)
  const clients = await look.count(POOL_CONNECTIONS)
  if (clients > POOL_SIZE) broken.push(`${clients} database connections of ${POOL_SIZE}`)
  broken.push(...(await checkEntries(look, load)))
  if (service.hasExited()) broken.push('the service ended instead of recovering')
  line.freeze()
  const exit = await service.stop()
  if (exit !== 0) broken.push(`stopped while the line was dead, the service ended with ${exit}`)
  await look.close()
  await line.close()
  await database.drop()
  return {
    figures: {
      ...summary(outcomes),
      noticed_ms: Math.round(noticed),
      recovery_ms: Math.round(recovery),
      afterwards_ok: good,
      clients,
    },
    broken,
  }
}
