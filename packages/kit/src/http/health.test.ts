import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { after, before, describe, test } from 'node:test'
import { passTime, until } from '@stoa/tests/lib/waiting.ts'
import { Gauge } from 'prom-client'
import { createMetrics, type Metrics, serveMetrics } from './metrics.ts'
import { call } from './testing/client.ts'
import { type Options, SECRET_TEXT, type Service, startService } from './testing/service.ts'

const probe = async (ready: Options['ready'], paths: readonly string[], timeouts = {}) => {
  const service = await startService({ ready, timeouts })
  const answers = []
  for (const path of paths) answers.push(await call(service.port, { path }))
  await service.stop()
  return answers
}

describe('health', () => {
  test('a service that can work says so on both paths', async () => {
    const answers = await probe(async () => undefined, ['/healthz', '/readyz'])
    assert.deepEqual(
      answers.map(({ status, text }) => [status, text]),
      [
        [200, '{"status":"ok"}'],
        [200, '{"status":"ready"}'],
      ],
    )
  })

  test('a service that cannot work is alive, not ready, and does not reveal why', async () => {
    const failures: Options['ready'][] = [
      () => Promise.reject(new Error(SECRET_TEXT)),
      () => {
        throw new Error(SECRET_TEXT)
      },
    ]
    for (const ready of failures) {
      const answers = await probe(ready, ['/healthz', '/readyz'])
      assert.deepEqual(
        answers.map(({ status, text }) => [status, text]),
        [
          [200, '{"status":"ok"}'],
          [503, '{"status":"unavailable"}'],
        ],
      )
    }
  })

  test('a check that hangs counts as not ready, and is asked again once it is over', async () => {
    let isHanging = true
    const ready = () => (isHanging ? new Promise<void>(() => undefined) : Promise.resolve())
    const service = await startService({ ready, timeouts: { ready: 100 } })
    assert.equal((await call(service.port, { path: '/readyz' })).status, 503)
    isHanging = false
    assert.equal((await call(service.port, { path: '/readyz' })).status, 200)
    await service.stop()
  })

  test('a check that fails after its time does no harm', async () => {
    const late = async () => {
      await passTime(60, 'longer than a check may take')
      throw new Error('late')
    }
    const [answer] = await probe(late, ['/readyz'], { ready: 20 })
    assert.equal(answer?.status, 503)
    await passTime(80, 'the check has failed by now, and nobody was notified')
  })

  test('however many ask, it is looked up once at a time', async () => {
    let asked = 0
    const service = await startService({
      ready: async () => {
        asked += 1
        await passTime(200, 'a check that others ask for meanwhile')
      },
    })
    const answers = await Promise.all(Array.from({ length: 50 }, () => call(service.port, { path: '/readyz' })))
    assert.ok(answers.every(({ status }) => status === 200))
    assert.ok(asked < 10, `${asked} lookups`)
    await service.stop()
  })

  test('needs no credential, takes HEAD, counts against nobody', async () => {
    const rate = { limit: 1, windowSeconds: 60 }
    const service = await startService({ rates: { anonymous: rate, principal: rate, keyOf: ({ name }) => name } })
    for (let at = 0; at < 5; at += 1) {
      const answer = await call(service.port, {
        method: 'HEAD',
        path: '/healthz',
        headers: { authorization: 'Bearer wrong' },
      })
      assert.deepEqual([answer.status, answer.text], [200, ''])
    }
    await service.stop()
  })
})

describe('figures', () => {
  let metrics: Metrics
  let internal: Awaited<ReturnType<typeof serveMetrics>>
  let service: Service
  before(async () => {
    metrics = createMetrics('things')
    internal = await serveMetrics(metrics, { port: 0, host: '127.0.0.1' })
    service = await startService({ metrics })
  })
  after(async () => {
    await service.stop()
    await internal.close()
  })
  const figures = async () => (await call(internal.port, { path: '/metrics' })).text
  const counted = async (method: string, route: string, status: number): Promise<number> => {
    const line = (await figures())
      .split('\n')
      .find(
        (each) =>
          each.startsWith('http_request_duration_seconds_count') &&
          each.includes(`method="${method}"`) &&
          each.includes(`route="${route}"`) &&
          each.includes(`status="${status}"`),
      )
    return Number(line?.split(' ').at(-1) ?? 0)
  }
  /** A figure is written when the answer has left, which the client may notice first. */
  const untilCounted = (count: number, ...of: Parameters<typeof counted>) =>
    until(async () => (await counted(...of)) === count, `${count} × ${of}`)

  test('are counted by matched route and status, for every kind of answer', async () => {
    const headers = { authorization: 'Bearer reader' }
    for (const id of ['1', '2', 'three']) await call(service.port, { path: `/api/things/${id}`, headers })
    await call(service.port, { path: '/api/things/4' })
    await call(service.port, { method: 'HEAD', path: '/api/things/5', headers })
    await call(service.port, { method: 'PATCH', path: '/api/things/6' })
    await call(service.port, { path: '/api/broken' })
    await call(service.port, { path: '/api/broken-stream' })
    await untilCounted(3, 'GET', '/api/things/:id', 200)
    await untilCounted(1, 'GET', '/api/things/:id', 401)
    await untilCounted(1, 'HEAD', '/api/things/:id', 200)
    await untilCounted(1, 'PATCH', '/api/things/:id', 405)
    await untilCounted(1, 'GET', '/api/broken', 500)
    await untilCounted(1, 'GET', '/api/broken-stream', 500)
  })

  test('never by URL, so that nobody can grow them', async () => {
    for (let at = 0; at < 30; at += 1) {
      await call(service.port, { path: `/random/${at}?secret-token=${at}` })
      await call(service.port, { path: `/api/things/secret-token-${at}` })
      await call(service.port, { path: `/%zz${at}` })
    }
    await untilCounted(30, 'GET', 'unmatched', 404)
    const text = await figures()
    assert.doesNotMatch(text, /random|secret-token|zz1/)
    const series = text.split('\n').filter((line) => line.startsWith('http_request_duration_seconds_count'))
    assert.ok(series.length < 15, `${series.length} series`)
  })

  test('are in the text format, with the service as a label, and hold the process too', async () => {
    const { headers, text } = await call(internal.port, { path: '/metrics' })
    assert.match(String(headers['content-type']), /^text\/plain; version=0\.0\.4/)
    assert.match(text, /process_cpu_seconds_total\{service="things"\}/)
    assert.match(text, /http_request_duration_seconds_bucket\{le="0\.1",service="things",/)
  })

  test('are not on the public port, and the internal one has nothing else', async () => {
    assert.equal((await call(service.port, { path: '/metrics' })).status, 404)
    for (const path of ['/', '/healthz', '/metrics/x', '/api/things'])
      assert.equal((await call(internal.port, { path })).status, 404)
  })

  test('are served to the machine itself only', async () => {
    const others = Object.values(networkInterfaces()).flatMap((found) => found ?? [])
    for (const { address, internal: isLoopback } of others.filter(({ family }) => family === 'IPv4')) {
      if (isLoopback) continue
      const socket = connect(internal.port, address)
      await assert.rejects(once(socket, 'connect'), /ECONNREFUSED/)
    }
  })
})

test('a figure that cannot be taken is an error of that request only', async () => {
  const metrics = createMetrics('broken')
  new Gauge({
    name: 'fails',
    help: 'Always',
    registers: [metrics.registry],
    collect: () => {
      throw new Error('no figure')
    },
  })
  const internal = await serveMetrics(metrics, { port: 0, host: '127.0.0.1' })
  assert.equal((await call(internal.port, { path: '/metrics' })).status, 500)
  assert.equal((await call(internal.port, { path: '/metrics' })).status, 500)
  await internal.close()
})
