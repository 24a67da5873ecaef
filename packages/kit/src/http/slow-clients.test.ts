import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { z } from 'zod'
import { PUBLIC } from './route.ts'
import { call, exchange, listen, open, statusesOf } from './testing/client.ts'
import { route, routes, type Service, startService } from './testing/service.ts'
import { TIMEOUTS } from './timeouts.ts'

const LARGE = 'x'.repeat(16 * 1024 * 1024)
const own = [
  route({
    method: 'GET',
    path: '/api/huge',
    summary: 'More than any buffer of a connection',
    auth: PUBLIC,
    access: 'all',
    output: 'raw',
    run: () => LARGE,
  }),
  route({
    method: 'GET',
    path: '/api/thinking',
    summary: 'Takes its time',
    auth: PUBLIC,
    access: 'all',
    output: z.object({ done: z.boolean() }),
    run: () => new Promise<{ done: boolean }>((resolve) => setTimeout(resolve, 900, { done: true })),
  }),
]

const startImpatient = () =>
  startService({
    routes: [...routes, ...own],
    timeouts: { headers: 300, request: 1_000, body: 300, stall: 300, silence: 2_000, keepAlive: 400, check: 50 },
  })

describe('slow clients', { concurrency: true }, () => {
  let service: Service
  before(async () => {
    service = await startImpatient()
  })
  after(() => service.stop())

  test('headers that do not come to their end are cut', async () => {
    const { text, closed } = await exchange(service.port, 'GET /api/who HTTP/1.1\r\nHost: a\r\n', 4_000)
    assert.deepEqual([statusesOf(text), closed], [[408], true])
  })

  test('headers that drip are cut all the same', async () => {
    const socket = await open(service.port)
    const ended = listen(socket, 4_000)
    socket.write('GET /api/who HTTP/1.1\r\nHost: a\r\n')
    const drip = setInterval(() => socket.write('X-A: b\r\n'), 40)
    const { closed } = await ended
    clearInterval(drip)
    assert.equal(closed, true)
  })

  test('a connection that never says anything is cut', async () => {
    assert.equal((await exchange(service.port, '', 4_000)).closed, true)
  })

  test('a client that never reads its answer is cut', async () => {
    const another = await startImpatient()
    const socket = await open(another.port)
    socket.pause()
    socket.write('GET /api/huge HTTP/1.1\r\nHost: a\r\n\r\n')
    assert.equal(await hasConnections(another, 1, 4_000), true)
    assert.equal(await hasConnections(another, 0, 1_800), true, 'the server still holds the connection')
    socket.destroy()
    await another.stop()
  })

  test('a client that reads slowly but steadily gets all of it', async () => {
    const socket = await open(service.port)
    socket.write('GET /api/huge HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    let seen = 0
    for await (const chunk of socket) {
      seen += chunk.length
      if (seen % 8 === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    }
    assert.ok(seen > LARGE.length)
  })

  test('an operation may think for longer than a client may stall', async () => {
    assert.deepEqual((await call(service.port, { path: '/api/thinking' })).json, { done: true })
  })

  test('a connection without a further request is closed after a while', async () => {
    const { text, closed } = await exchange(service.port, 'GET /api/who HTTP/1.1\r\nHost: a\r\n\r\n', 4_000)
    assert.deepEqual([statusesOf(text), closed], [[200], true])
  })
})

describe('many slow connections at once', () => {
  test('do not keep good clients waiting, and are gone after their time', async () => {
    const service = await startService({ timeouts: { headers: 1_500, body: 1_500, check: 100 } })
    const slow: Socket[] = []
    for (let at = 0; at < 400; at += 1) {
      const socket = await open(service.port)
      socket.write(
        at % 2
          ? 'GET /api/who HTTP/1.1\r\nHost: a\r\n'
          : 'POST /api/things/check HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{',
      )
      slow.push(socket)
    }
    const good = Array.from({ length: 40 }, () => call(service.port, { path: '/api/who' }))
    assert.ok((await Promise.all(good)).every(({ status }) => status === 200))
    assert.equal(await hasConnections(service, 0, 6_000), true)
    for (const socket of slow) socket.destroy()
    await service.stop()
  })
})

test('the times that services run with close slow clients within half a minute', () => {
  assert.ok(TIMEOUTS.headers + TIMEOUTS.check <= 30_000)
  assert.ok(TIMEOUTS.body <= 30_000 && TIMEOUTS.stall <= 30_000)
  assert.ok(TIMEOUTS.request <= 300_000 && TIMEOUTS.silence <= 60_000)
})

const hasConnections = async (service: Service, expected: number, withinMs: number): Promise<boolean> => {
  const until = Date.now() + withinMs
  while (Date.now() < until) {
    const count = await new Promise<number>((resolve) => {
      service.app.server.getConnections((_error, found) => resolve(found))
    })
    if (count === expected) return true
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  return false
}
