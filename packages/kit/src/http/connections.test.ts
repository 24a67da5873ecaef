import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { passTime, until } from '@stoa/tests/lib/waiting.ts'
import { z } from 'zod'
import { PUBLIC } from './route.ts'
import { stopHttp } from './server.ts'
import { drain } from './stopping.ts'
import { call, exchange, listen, open, statusesOf } from './testing/client.ts'
import { route, routes, type Service, startService } from './testing/service.ts'
import { TIMEOUTS } from './timeouts.ts'

const LARGE = 'x'.repeat(16 * 1024 * 1024)
const PAGE = 'x'.repeat(256 * 1024)
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
    path: '/api/page',
    summary: 'Less than the buffers of a connection',
    auth: PUBLIC,
    access: 'all',
    output: 'raw',
    run: () => PAGE,
  }),
  route({
    method: 'GET',
    path: '/api/thinking',
    summary: 'Takes its time',
    auth: PUBLIC,
    access: 'all',
    output: z.object({ done: z.boolean() }),
    run: () => passTime(900, 'longer than a silent connection may be').then(() => ({ done: true })),
  }),
]

const startImpatient = () =>
  startService({
    routes: [...routes, ...own],
    timeouts: { headers: 300, request: 1_000, body: 300, stall: 500, silence: 6_000, keepAlive: 400, check: 50 },
  })

describe('slow clients', { concurrency: true }, () => {
  let service: Service
  before(async () => {
    service = await startImpatient()
  })
  after(() => service.stop())

  test('headers that do not come to their end are cut', async () => {
    const { text, closed } = await exchange(service.port, 'GET /api/who HTTP/1.1\r\nHost: a\r\n', 15_000)
    assert.deepEqual([statusesOf(text), closed], [[408], true])
  })

  test('headers that drip are cut all the same', async () => {
    const socket = await open(service.port)
    const ended = listen(socket, 15_000)
    socket.write('GET /api/who HTTP/1.1\r\nHost: a\r\n')
    const drip = setInterval(() => socket.write('X-A: b\r\n'), 40)
    const { closed } = await ended
    clearInterval(drip)
    assert.equal(closed, true)
  })

  test('a connection that never says anything is cut', async () => {
    assert.equal((await exchange(service.port, '', 15_000)).closed, true)
  })

  const requests = {
    'its answer': 'GET /api/huge HTTP/1.1\r\nHost: a\r\n\r\n',
    'the answers to many requests that it sent together': 'GET /api/page HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(100),
  }
  for (const [what, text] of Object.entries(requests))
    test(`a client that never reads ${what} is cut`, async () => {
      const another = await startImpatient()
      const socket = await open(another.port)
      socket.pause()
      socket.write(text)
      await hasConnections(another, 1)
      await hasConnections(another, 0)
      socket.destroy()
      await another.stop()
    })

  test('a client that reads slowly but steadily gets all of it', async () => {
    const socket = await open(service.port)
    socket.write('GET /api/huge HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    let seen = 0
    for await (const chunk of socket) {
      seen += chunk.length
      if (seen % 8 === 0) await passTime(1, 'a client that reads slowly')
    }
    assert.ok(seen > LARGE.length)
  })

  test('an operation may think for longer than a client may stall', async () => {
    const patient = await startService({ routes: [...routes, ...own], timeouts: { stall: 500, check: 50 } })
    assert.deepEqual((await call(patient.port, { path: '/api/thinking' })).json, { done: true })
    await patient.stop()
  })

  test('a connection without a further request is closed after a while', async () => {
    const patient = await startService({ timeouts: { keepAlive: 400, check: 50 } })
    const { text, closed } = await exchange(patient.port, 'GET /api/who HTTP/1.1\r\nHost: a\r\n\r\n', 15_000)
    assert.deepEqual([statusesOf(text), closed], [[200], true])
    await patient.stop()
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
    await hasConnections(service, 0)
    for (const socket of slow) socket.destroy()
    await service.stop()
  })
})

test('the times that services run with close slow clients within half a minute', () => {
  assert.ok(TIMEOUTS.headers + TIMEOUTS.check <= 30_000)
  assert.ok(TIMEOUTS.body <= 30_000 && TIMEOUTS.stall <= 30_000)
  assert.ok(TIMEOUTS.request <= 300_000 && TIMEOUTS.silence <= 60_000)
})

const hasConnections = (service: Service, expected: number): Promise<boolean> => {
  const count = () =>
    new Promise<number>((resolve) => service.app.server.getConnections((_error, found) => resolve(found)))
  return until(async () => (await count()) === expected, `${expected} connections are open`)
}

/** A service with one operation that ends when the test says so. */
const startHeld = async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: entered, resolve: enter } = Promise.withResolvers<void>()
  const held = route({
    method: 'GET',
    path: '/api/held',
    summary: 'Ends on request',
    auth: PUBLIC,
    access: 'all',
    output: z.object({ done: z.boolean() }),
    run: async () => {
      enter()
      await released
      return { done: true }
    },
  })
  let count = 0
  const service = await startService({
    routes: [...routes, held],
    authorise: () => {
      count += 1
    },
  })
  return { ...service, release, entered, counted: () => count }
}

const isRefused = async (port: number): Promise<boolean> => {
  const socket = connect(port, '127.0.0.1')
  return Promise.race([once(socket, 'connect').then(() => false), once(socket, 'error').then(() => true)]).catch(
    () => true,
  )
}

describe('a graceful stop', () => {
  test('completes running requests, asks their clients to close the connection, and accepts nothing new', async () => {
    const service = await startHeld()
    const running = call(service.port, { path: '/api/held', headers: { connection: 'keep-alive' } })
    await service.entered
    const stopped = stopHttp(service.app, 5_000)
    await until(() => isRefused(service.port), 'new connections are refused')
    service.release()
    const answer = await running
    assert.deepEqual([answer.status, answer.json], [200, { done: true }])
    assert.equal(answer.headers.connection, 'close')
    await stopped
  })

  test('may be said before: the service still takes requests while /readyz leads them elsewhere', async () => {
    const service = await startHeld()
    assert.equal((await call(service.port, { path: '/readyz' })).status, 200)
    const drained = drain(service.app, 200)
    const asked = await call(service.port, { path: '/readyz' })
    assert.deepEqual([asked.status, asked.json, asked.headers.connection], [503, { status: 'stopping' }, 'close'])
    const answer = await call(service.port, { path: '/api/who' })
    assert.deepEqual([answer.status, answer.headers.connection], [200, 'close'])
    await drained
    await stopHttp(service.app, 2_000)
    assert.equal(await isRefused(service.port), true)
  })

  test('closes idle connections at once', async () => {
    const service = await startHeld()
    const agent = new Agent({ keepAlive: true })
    const [response] = await once(request({ port: service.port, path: '/api/who', agent }).end(), 'response')
    response.resume()
    await once(response, 'end')
    const silent = await open(service.port)
    const started = Date.now()
    await stopHttp(service.app, 60_000)
    assert.ok(Date.now() - started < 30_000)
    assert.equal((await listen(silent)).closed, true)
    agent.destroy()
  })

  test('answers a request that arrives on an open connection while it stops, and closes then', async () => {
    const service = await startHeld()
    const socket = await open(service.port)
    const ended = listen(socket, 15_000)
    socket.write('GET /api/held HTTP/1.1\r\nHost: a\r\n\r\n')
    await service.entered
    const stopped = stopHttp(service.app, 5_000)
    await until(() => isRefused(service.port), 'new connections are refused')
    socket.write('GET /api/who HTTP/1.1\r\nHost: a\r\n\r\n')
    await passTime(30, 'the second request is there before the first is answered')
    service.release()
    const { text, closed } = await ended
    assert.equal(closed, true)
    assert.equal(statusesOf(text)[0], 200)
    assert.match(text, /"done":true/)
    await stopped
  })

  test('cuts a client that does not come to an end, at the deadline', async () => {
    const service = await startHeld()
    const half = await open(service.port)
    half.write(
      'POST /api/things/check HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{',
    )
    const held = await open(service.port)
    held.write('GET /api/held HTTP/1.1\r\nHost: a\r\n\r\n')
    await service.entered
    const started = Date.now()
    await stopHttp(service.app, 200)
    assert.ok(Date.now() - started >= 190)
    assert.deepEqual([(await listen(half)).closed, (await listen(held)).closed], [true, true])
    service.release()
    await passTime(20, 'what the operation does after the end does no harm')
  })

  test('loses no request that it began, under load', async () => {
    for (let round = 0; round < 3; round += 1) {
      const service = await startHeld()
      const answered: number[] = []
      let isOver = false
      const client = async () => {
        while (!isOver)
          await call(service.port, { path: '/api/who' }).then(
            ({ status }) => answered.push(status),
            // Refused, or reset while it still waited to be let in.
            (raised: NodeJS.ErrnoException) => {
              assert.match(String(raised.code), /^(?:ECONNREFUSED|ECONNRESET)$/)
              isOver = true
            },
          )
      }
      const clients = Array.from({ length: 8 }, client)
      await until(() => answered.length >= 20, 'twenty answers')
      await stopHttp(service.app, 2_000)
      await Promise.all(clients)
      assert.deepEqual(
        answered,
        Array.from({ length: service.counted() }, () => 200),
      )
    }
  })
})
