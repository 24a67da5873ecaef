import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { PUBLIC } from './route.ts'
import { stopHttp } from './server.ts'
import { call, listen, open, statusesOf } from './testing/client.ts'
import { route, routes, startService } from './testing/service.ts'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** A service with one operation that ends when the test says so. */
const startHeld = async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: entered, resolve: enter } = Promise.withResolvers<void>()
  const held = route({
    method: 'GET',
    path: '/api/held',
    summary: 'Ends when told',
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
  test('answers what is running, tells its client to go elsewhere, and takes nothing new', async () => {
    const service = await startHeld()
    const running = call(service.port, { path: '/api/held', headers: { connection: 'keep-alive' } })
    await service.entered
    const stopped = stopHttp(service.app, 5_000)
    await pause(50)
    assert.equal(await isRefused(service.port), true)
    service.release()
    const answer = await running
    assert.deepEqual([answer.status, answer.json], [200, { done: true }])
    assert.equal(answer.headers.connection, 'close')
    await stopped
  })

  test('closes idle connections at once', async () => {
    const service = await startHeld()
    const agent = new Agent({ keepAlive: true })
    const [response] = await once(request({ port: service.port, path: '/api/who', agent }).end(), 'response')
    response.resume()
    await once(response, 'end')
    const silent = await open(service.port)
    const started = Date.now()
    await stopHttp(service.app, 5_000)
    assert.ok(Date.now() - started < 3_000)
    assert.equal((await listen(silent)).closed, true)
    agent.destroy()
  })

  test('answers a request that arrives on an open connection while it stops, and closes then', async () => {
    const service = await startHeld()
    const socket = await open(service.port)
    const ended = listen(socket, 3_000)
    socket.write('GET /api/held HTTP/1.1\r\nHost: a\r\n\r\n')
    await service.entered
    const stopped = stopHttp(service.app, 5_000)
    await pause(30)
    socket.write('GET /api/who HTTP/1.1\r\nHost: a\r\n\r\n')
    await pause(30)
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
    await pause(20)
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
      await pause(60)
      await stopHttp(service.app, 2_000)
      await Promise.all(clients)
      assert.ok(answered.length > 8)
      assert.deepEqual(
        answered,
        Array.from({ length: service.counted() }, () => 200),
      )
    }
  })
})
