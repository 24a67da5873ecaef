import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { bareEnvironment } from '@stoa/tests/lib/bare-environment.ts'
import { freshDatabase, type TestDatabase } from '@stoa/tests/lib/cluster.ts'
import { startFakeWebhook } from '@stoa/tests/lib/fake-webhook.ts'
import { freePort } from '@stoa/tests/lib/free-port.ts'
import { startTcpProxy, throughProxy } from '@stoa/tests/lib/tcp-proxy.ts'
import { until } from '@stoa/tests/lib/waiting.ts'

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))
const SECRET = 'a secret of the tests, long enough for anyone'

type Running = { child: ChildProcess; output(): string; ended: Promise<number | null> }

const start = (env: Record<string, string>): Running => {
  const child = spawn(process.execPath, [MAIN], { env: { ...bareEnvironment(), HOST: '127.0.0.1', ...env } })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (chunk) => (text += chunk))
  return { child, output: () => text, ended: once(child, 'close').then(([code]) => code) }
}

/** Waits for a line of output; gives up when the process has ended. */
const saying = async (running: Running, pattern: RegExp): Promise<void> => {
  await until(() => {
    if (running.child.exitCode !== null) throw new Error(`it ended:\n${running.output()}`)
    return pattern.test(running.output())
  }, `it says ${pattern}`)
}

describe('the service process', () => {
  let database: TestDatabase
  before(async () => {
    database = await freshDatabase()
  })
  after(() => database.drop())

  test('migrates an empty database, says where it serves, sends webhooks by itself, and stops on SIGTERM', async (t) => {
    const receiver = await startFakeWebhook()
    t.after(() => receiver.close())
    const port = await freePort()
    const settings = { PORT: String(port), SECRET, CMS_DATABASE_URL: database.url, WEBHOOK_ALLOW_PRIVATE: 'true' }
    const running = start(settings)
    await saying(running, new RegExp(`CMS admin: http://localhost:${port}/admin`))
    const url = `http://127.0.0.1:${port}`
    assert.deepEqual(await (await fetch(`${url}/api/auth/status`)).json(), { setup: false, resetByMail: false })
    let authorization = ''
    const post = async (path: string, body?: unknown) => {
      const response = await fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      assert.ok(response.ok, `${path} answered ${response.status}`)
      return response.json()
    }
    const owner = { email: 'o@example.test', name: 'O', password: 'seven lanterns in the harbour' }
    authorization = `Bearer ${(await post('/api/auth/setup', owner)).token}`
    const hook = await post('/api/webhooks', { url: receiver.url, events: ['*'] })
    receiver.trust(hook.secret)
    const { deliveryId } = await post(`/api/webhooks/${hook.id}/test`)
    await post(`/api/webhooks/${hook.id}/deliveries/${deliveryId}/redeliver`)
    await receiver.waitFor(2)
    assert.deepEqual(
      receiver.received.map(({ id }) => id),
      [deliveryId, deliveryId],
    )
    running.child.kill('SIGTERM')
    assert.equal(await running.ended, 0, running.output())
  })

  test('stops in time while its start hangs, because the database is silent', async (t) => {
    const { hostname, port } = new URL(database.url)
    let isReached = false
    const line = await startTcpProxy(() => {
      isReached = true
      return { host: hostname, port: Number(port) }
    })
    t.after(() => line.close())
    line.freeze()
    const running = start({ PORT: '0', SECRET, CMS_DATABASE_URL: throughProxy(database.url, line) })
    await until(() => isReached, 'it asks the database')
    running.child.kill('SIGTERM')
    assert.equal(await running.ended, 0, running.output())
    assert.match(running.output(), /^cms: stopped without waiting for its start$/m)
  })

  test('C35: production with a short SECRET does not start, and says why without showing secrets', async () => {
    const running = start({ PORT: '0', CMS_DATABASE_URL: database.url, NODE_ENV: 'production', SECRET: 'short' })
    assert.equal(await running.ended, 1)
    assert.match(running.output(), /SECRET/)
    assert.ok(!running.output().includes(database.url) && !running.output().includes('short\n'))
  })
})
