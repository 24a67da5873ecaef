import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { call } from './testing/client.ts'
import { type Options, SECRET_TEXT, startService } from './testing/service.ts'

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

  test('a service that cannot work is alive, not ready, and tells nobody why', async () => {
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
    const late = () => new Promise<void>((_resolve, reject) => setTimeout(reject, 60, new Error('late')))
    const [answer] = await probe(late, ['/readyz'], { ready: 20 })
    assert.equal(answer?.status, 503)
    await new Promise((resolve) => setTimeout(resolve, 80))
  })

  test('however many ask, it is looked up once at a time', async () => {
    let asked = 0
    const service = await startService({
      ready: async () => {
        asked += 1
        await new Promise((resolve) => setTimeout(resolve, 200))
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
