import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { root } from '../../scripts/environment.ts'
import { call, memberOf, must } from '../faults/outcomes.ts'
import { type ServiceProcess, startService } from '../faults/service-process.ts'
import { addEntry, prepareSite, publish, type Site } from '../faults/site.ts'
import { freePort } from '../lib/free-port.ts'
import { serviceDatabase } from '../lib/service-database.ts'
import { until } from '../lib/waiting.ts'
import { type Answer, ask, isRunning, untilWorkersAnswer, watchedRoles, workersOf } from './workers.ts'

// They run from the bundle, as with `npm start`.
describe('two workers of the CMS', () => {
  let service: ServiceProcess
  let folder: string
  let site: Site
  let metricsPort: number
  let database: Awaited<ReturnType<typeof serviceDatabase>>
  const status = () => `${service.url}/api/auth/status`

  before(async () => {
    database = await serviceDatabase('cms')
    metricsPort = await freePort()
    folder = await mkdtemp(join(tmpdir(), 'stoa-workers-'))
    service = await startService('cms', {
      CMS_DATABASE_URL: database.url,
      DATA_DIR: folder,
      PLUGIN_DIR: join(root, 'examples/plugins'),
      WORKERS: '2',
      METRICS_PORT: String(metricsPort),
      LOG_LEVEL: 'warn',
    })
    await untilWorkersAnswer(status(), 2)
    site = await prepareSite(service.url)
  })
  after(async () => {
    await service.stop()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  })

  test('are shown as one: their figures are summed, and the service is ready', async () => {
    const count = async () => {
      const figures = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
      const line = figures
        .split('\n')
        .find((each) => /^http_request_duration_seconds_count.*"\/openapi.json"/.test(each))
      return Number(line?.split(' ').at(-1) ?? 0)
    }
    const answers: Answer[] = []
    while (new Set(answers.map(({ worker }) => worker)).size < 2) answers.push(await ask(`${service.url}/openapi.json`))
    await until(async () => (await count()) === answers.length, 'the requests of both are counted')
    assert.equal((await fetch(`http://127.0.0.1:${metricsPort}/readyz`)).status, 200)
    assert.equal((await ask(`${service.url}/readyz`)).text, '{"status":"ready"}')
  })

  test('never answer from what another one has changed', async () => {
    const id = await addEntry(service.url, site, 'Title 0')
    await publish(service.url, site, id)
    const headers = { 'x-api-key': site.key }
    const read = () => ask(`${service.url}/content/article`, { headers })
    for (let at = 1; at <= 8; at += 1) {
      const body = { title: `Title ${at}`, mode: 'live' }
      const written = await ask(`${service.url}/api/entries/${id}`, { method: 'PUT', token: site.token, body })
      assert.equal(written.status, 200, written.text)
      for (const { text, worker } of await Promise.all([read(), read()]))
        assert.ok(
          text.includes(`"Title ${at}"`),
          `${worker === written.worker ? 'the same' : 'the other'} worker: ${at}`,
        )
    }
  })

  test('count together what a key may ask for, and those who guess', async () => {
    await must(`${service.url}/api/settings`, { method: 'PUT', token: site.token, body: { deliveryRatePerMinute: 7 } })
    const minted = await must(`${service.url}/api/delivery-keys`, {
      method: 'POST',
      token: site.token,
      body: { name: 'Counted', types: ['*'] },
    })
    const statuses = async (key: string, count: number) => {
      const asked = Array.from({ length: count }, () =>
        ask(`${service.url}/content/article`, { headers: { 'x-api-key': key } }),
      )
      return Map.groupBy(
        (await Promise.all(asked)).map((answer) => answer.status),
        (status) => status,
      )
    }
    const right = await statuses(Reflect.get(Object(minted), 'key'), 20)
    assert.deepEqual([right.get(200)?.length, right.get(429)?.length], [7, 13])
    const wrong = await statuses(`cms_${'x'.repeat(43)}`, 40)
    assert.deepEqual([wrong.get(401)?.length, wrong.get(429)?.length], [30, 10])
    await must(`${service.url}/api/settings`, {
      method: 'PUT',
      token: site.token,
      body: { deliveryRatePerMinute: null },
    })
  })

  test('one that is killed costs its own connections, is replaced, and nothing acknowledged is lost', async () => {
    const acknowledged: string[] = []
    const failed: unknown[] = []
    let isOver = false
    const write = async (writer: number) => {
      for (let at = 0; !isOver; at += 1) {
        const body = { type: 'article', title: `Writer ${writer} ${at}`, data: { summary: 'a', body: '<p>b</p>' } }
        try {
          const answer = await ask(`${service.url}/api/entries`, { method: 'POST', token: site.token, body })
          if (answer.status === 201) acknowledged.push(JSON.parse(answer.text).id)
          else failed.push(answer.status)
        } catch (error) {
          failed.push(error)
        }
      }
    }
    const writers = Promise.all([1, 2].map(write))
    await until(() => acknowledged.length > 10, 'writes are acknowledged')
    const [victim = 0, other = 0] = workersOf(service.pid)
    process.kill(victim, 'SIGKILL')
    const whenKilled = acknowledged.length
    await until(() => acknowledged.length > whenKilled + 10, 'the other worker goes on')
    await until(() => workersOf(service.pid).some((pid) => pid !== victim && pid !== other), 'another worker')
    await untilWorkersAnswer(status(), 2)
    isOver = true
    await writers
    assert.ok(failed.length <= 2, `at most what the killed one was doing: ${failed.map(String)}`)
    for (const id of acknowledged.slice(0, whenKilled + 10))
      assert.equal((await ask(`${service.url}/api/entries/${id}`, { token: site.token })).status, 200)
    const line = service.log.map((each) => JSON.parse(each)).find(({ how }) => how === 'SIGKILL')
    assert.deepEqual([line?.worker, line?.restartsInMs], [1, 0])
  })

  test('are replaced one after the other on SIGUSR2, without a request that fails', async () => {
    const before = await untilWorkersAnswer(status(), 2)
    const answers: number[] = []
    let isOver = false
    const read = async () => {
      while (!isOver) answers.push((await ask(status())).status)
    }
    const reading = read()
    process.kill(service.pid, 'SIGUSR2')
    await until(async () => {
      const now = await untilWorkersAnswer(status(), 2)
      return now.every((worker) => !before.includes(worker))
    }, 'both are new')
    isOver = true
    await reading
    assert.deepEqual([...new Set(answers)], [200])
  })

  test('have the files beside the sources, native pictures, and plugins in their threads', async () => {
    assert.match(await (await fetch(`${service.url}/admin`)).text(), /<html/)
    const form = new FormData()
    const picture = sharp({ create: { width: 40, height: 20, channels: 3, background: 'red' } })
    form.set('file', new Blob([new Uint8Array(await picture.png().toBuffer())]), 'red.png')
    const headers = { authorization: `Bearer ${site.token}` }
    const uploaded = await fetch(`${service.url}/api/media`, { method: 'POST', body: form, headers })
    assert.equal(memberOf(await uploaded.json(), 'width'), '40')

    const state = { method: 'PUT', token: site.token, body: { enabled: true, approve: true } }
    await must(`${service.url}/api/plugins/hello/state`, state)
    // The other worker is notified, and starts a thread of its own.
    const hello = async () => (await call(`${service.url}/ext/hello/hello`, { token: site.token })).body
    await until(async () => memberOf(await hello(), 'text').startsWith('Hello, '), 'the plugin answers')
  })

  test('end with their primary, when it is killed', async () => {
    const workers = await until(() => {
      const all = workersOf(service.pid)
      return all.length === 2 && all
    }, 'whoever was replaced has ended')
    await service.kill()
    await until(() => workers.every((pid) => !isRunning(pid)), 'no worker is left')
  })
})

describe('a role alone', () => {
  test('http serves and leaves the work to others; worker works without a port, and says what it is on an address of its own', async (t) => {
    const database = await serviceDatabase('cms')
    t.after(database.drop)
    const metricsPort = await freePort()
    const common = { CMS_DATABASE_URL: database.url }
    const http = await startService('cms', { ...common, CMS_ROLES: 'http' })
    t.after(() => http.stop())
    assert.equal((await ask(`${http.url}/readyz`)).text, '{"status":"ready","roles":["http"]}')
    const site = await prepareSite(http.url)
    const id = await addEntry(http.url, site, 'Later')
    const at = new Date(Date.now() + 1_000).toISOString()
    const entry = `${http.url}/api/entries/${id}`
    await must(`${entry}/status`, { method: 'POST', token: site.token, body: { action: 'publish', at } })
    const worker = await startService('cms', {
      ...common,
      CMS_ROLES: 'worker',
      METRICS_PORT: String(metricsPort),
      METRICS_HOST: '127.0.0.2',
    })
    t.after(() => worker.stop())
    await assert.rejects(ask(`${worker.url}/readyz`))
    await assert.rejects(ask(`http://127.0.0.1:${metricsPort}/readyz`))
    const ready = await fetch(`http://127.0.0.2:${metricsPort}/readyz`)
    assert.deepEqual(await ready.json(), { status: 'ready', roles: ['worker'] })
    await until(
      async () => JSON.parse((await ask(entry, { token: site.token })).text).status === 'published',
      'the other process publishes it',
    )
    const watched = () => watchedRoles(database.url)
    await until(async () => (await watched()).join() === 'http,worker', 'both look at their machine')
    assert.equal(await worker.stop(), 0)
    assert.deepEqual(await watched(), ['http'])
  })
})
