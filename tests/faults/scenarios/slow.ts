import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { freePort } from '../../lib/free-port.ts'
import { serviceDatabase } from '../../lib/service-database.ts'
import { type CallOptions, call, type Report } from '../outcomes.ts'
import { startService } from '../service-process.ts'
import { addEntry, prepareSite, publish, type Site, TYPE } from '../site.ts'
import { againstSlow, keepWriting, openDripping, openMany, slowHttp, timeRounds } from '../slow-clients.ts'

const CLOSED_WITHIN_MS = 30_000
const LARGE_CHARACTERS = 100_000
const LARGE_ENTRIES = 10
/** More than the system holds of a connection that nobody reads. */
const ASKED_AT_ONCE = 30

/**
 * Two thousand slow clients of the CMS: some say nothing, over HTTP or https, some send headers or a body a byte a second, some
 * ask for much and read none of it. Readers of websites and editors notice nothing, memory stays, and the slow ones are let go.
 */
export const slow = async ({ perKind = 500, readers = 50, rounds = 80 } = {}): Promise<Report> => {
  const database = await serviceDatabase('cms')
  const httpsPort = await freePort()
  const service = await startService('cms', { CMS_DATABASE_URL: database.url, HTTPS_PORT: String(httpsPort) })
  const { url, pid } = service
  const site = await prepareSite(url)
  for (let nth = 0; nth < LARGE_ENTRIES; nth += 1)
    await publish(url, site, await addEntry(url, site, `Large ${nth}`, 'x'.repeat(LARGE_CHARACTERS)))
  await publish(url, site, await addEntry(url, site, 'To be read'))
  const port = Number(new URL(url).port)
  const { token, key } = site
  const { figures, broken } = await againstSlow({
    pid,
    openSlow: async () => ({
      ...(await openDripping({ silent: { port }, 'https silent': { port: httpsPort }, ...slowHttp(url) }, perKind)),
      readers: await openReaders(port, site, readers),
    }),
    serveGood: (count) =>
      timeRounds(count, [
        () => succeeds(`${url}/content/${TYPE}?limit=1`, { headers: { 'x-api-key': key } }),
        () => succeeds(`${url}/api/entries?limit=5`, { token }),
        () => succeeds(`${url}/readyz`),
      ]),
    rounds,
    closedWithinMs: CLOSED_WITHIN_MS,
  })
  if (service.hasExited()) broken.push('the service ended')
  await service.stop()
  await database.drop()
  return { figures, broken }
}

const succeeds = async (url: string, options?: CallOptions): Promise<void> =>
  assert.equal((await call(url, options)).status, 200)

/** They ask for a long list, many times, and read none of it. */
const openReaders = (port: number, { key }: Site, count: number): Promise<Socket[]> => {
  const request = `GET /content/${TYPE}?limit=${LARGE_ENTRIES} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\n\r\n`
  return openMany(count, port, (socket) => {
    socket.pause()
    socket.write(request.repeat(ASKED_AT_ONCE))
    keepWriting(socket, request)
  })
}
