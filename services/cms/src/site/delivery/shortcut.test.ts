import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { startCms } from '@stoa/tests/lib/cms.ts'
import { type DeliverySite, type Reader, startDelivery } from './testing/site.ts'

const LISTED = 'https://www.example.test'
let site: DeliverySite
let reader: Reader
let narrow: Reader
/** The same service without its shortcut: every request goes through the routes. */
let usual: Server
before(async () => {
  site = await startDelivery({ env: { DELIVERY_ORIGINS: LISTED } })
  await site.addType('page', [{ key: 'body', type: 'textarea' }])
  await site.live({ type: 'page', title: 'Long', data: { body: 'many words '.repeat(500) } })
  await site.live({ title: 'First', data: { summary: 's' } })
  await site.admin.client.post('/api/menus', { name: 'top', items: [{ label: 'A', url: '/a' }] })
  await site.addTaxonomy('topic', ['news'])
  reader = await site.reader()
  narrow = await site.reader(['article'])
  usual = createServer({ joinDuplicateHeaders: true, keepAliveTimeout: 65_000 }, (request, response) =>
    site.cms.app.routing(request, response),
  ).listen(0, '127.0.0.1')
  await once(usual, 'listening')
})
after(async () => {
  usual.close()
  await site.close()
})

type Ask = { method?: string; path?: string; headers?: Record<string, string> }
type Answer = { status: number | undefined; headers: [string, string][]; body: string; isRouted: boolean }

const CHANNEL = 'tracing:fastify.request.handler:start'

/** One request; whether a route's handler ran for it, and everything that came back but what differs each time. */
const ask = async (port: number, { method = 'GET', path = '/content/page', headers = {} }: Ask): Promise<Answer> => {
  let isRouted = false
  const note = () => {
    isRouted = true
  }
  subscribe(CHANNEL, note)
  try {
    const sent = httpRequest({ port, host: '127.0.0.1', method, path, headers, agent: false }).end()
    const [response]: IncomingMessage[] = await once(sent, 'response')
    const body = Buffer.concat(await Array.fromAsync(response ?? [])).toString('base64')
    return { status: response?.statusCode, headers: headersOf(response), body: withoutId(body), isRouted }
  } finally {
    unsubscribe(CHANNEL, note)
  }
}

const withoutId = (body: string): string =>
  Buffer.from(body, 'base64')
    .toString('latin1')
    .replace(/"requestId":"[^"]*"/, '')

const headersOf = (response: IncomingMessage | undefined): [string, string][] => {
  const raw = response?.rawHeaders ?? []
  const pairs = raw.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, raw[at + 1] ?? '']] : []))
  return pairs
    .filter(([name]) => name !== 'Date')
    .map(([name, value]) => [name, name === 'x-request-id' ? value.replace(/[0-9a-z]/g, 'x') : value])
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port

const bothWays = async (request: Ask): Promise<{ short: Answer; long: Answer }> => ({
  long: await ask(portOf(usual), request),
  short: await ask(portOf(site.cms.app.server), request),
})

const same = ({ short, long }: { short: Answer; long: Answer }): void => {
  const { isRouted: _short, ...mine } = short
  const { isRouted: _long, ...theirs } = long
  assert.deepEqual(mine, theirs)
}

const key = (text = reader.key) => ({ 'x-api-key': text })

describe('an answer from memory', () => {
  const paths = [
    '/content',
    '/content/page',
    '/content/page?limit=1&include=terms,author',
    '/content/page/long',
    '/content/article/first?depth=2',
    '/site/settings',
    '/site/menus/top',
    '/site/taxonomies/topic',
    '/site/design',
  ]
  for (const path of paths)
    test(`${path} is the same as through the routes, and goes past them`, async () => {
      await ask(portOf(usual), { path, headers: key() })
      const answers = await bothWays({ path, headers: key() })
      same(answers)
      assert.deepEqual([answers.short.status, answers.short.isRouted, answers.long.isRouted], [200, false, true])
    })

  test('is the same for whatever headers there are', async () => {
    const { headers } = await ask(portOf(usual), { headers: key() })
    const etag = headers.find(([name]) => name === 'etag')?.[1] ?? ''
    for (const encoding of ['br', 'gzip'])
      await ask(portOf(usual), { headers: { ...key(), 'accept-encoding': encoding } })
    const variants: Record<string, string>[] = [
      {},
      { 'if-none-match': etag },
      { 'if-none-match': `W/${etag}` },
      { 'if-none-match': '*' },
      { 'if-none-match': '"other", "another"' },
      { 'if-none-match': etag.replace(/"$/, '-br"'), 'accept-encoding': 'br' },
      { 'accept-encoding': 'br' },
      { 'accept-encoding': 'gzip, br;q=0.1' },
      { 'accept-encoding': 'identity, *;q=0' },
      { origin: LISTED },
      { origin: 'https://evil.test' },
      { origin: 'null' },
      { cookie: 'cms_session=nothing', authorization: 'Bearer x' },
      { 'x-forwarded-for': '198.51.100.7' },
      { connection: 'close' },
      { accept: 'text/html', range: 'bytes=0-3' },
    ]
    for (const method of ['GET', 'HEAD'])
      for (const variant of variants) {
        const answers = await bothWays({ method, headers: { ...key(), ...variant } })
        same(answers)
        assert.equal(answers.short.isRouted, false, `${method} ${JSON.stringify(variant)}`)
      }
  })

  test('what is not plain is judged by the routes', async () => {
    const variants: Ask[] = [
      { headers: {} },
      { headers: key('') },
      { headers: key(`cms_${'y'.repeat(43)}`) },
      { headers: key('cmsses_x') },
      { headers: { ...key(), 'accept-version': '1' } },
      { headers: { ...key(), 'accept-version': '9' } },
      { headers: { ...key(), 'content-length': '0' } },
      { method: 'POST', headers: key() },
      { method: 'OPTIONS', headers: { origin: LISTED, 'access-control-request-method': 'GET' } },
      { path: '/content/page?limit=0', headers: key() },
      { path: '/content/page/nobody', headers: key() },
      { path: '/content/nothing', headers: key() },
      { path: '/content/page/', headers: key() },
    ]
    for (const variant of variants) {
      const answers = await bothWays(variant)
      same(answers)
      assert.equal(answers.short.isRouted, answers.long.isRouted, JSON.stringify(variant))
    }
  })

  test('a key of other types never gets it', async () => {
    await ask(portOf(usual), { headers: key() })
    const answers = await bothWays({ headers: key(narrow.key) })
    same(answers)
    assert.deepEqual([answers.short.status, answers.short.isRouted], [404, true])
  })

  test('a key that was changed or revoked is asked for anew at once', async () => {
    const own = await site.reader()
    await ask(portOf(usual), { headers: key(own.key) })
    assert.equal((await ask(portOf(site.cms.app.server), { headers: key(own.key) })).isRouted, false)
    await site.admin.client.put(`/api/delivery-keys/${own.id}`, { types: ['article'] })
    assert.equal((await ask(portOf(site.cms.app.server), { headers: key(own.key) })).status, 404)
    await site.admin.client.delete(`/api/delivery-keys/${own.id}`)
    const answers = await bothWays({ headers: key(own.key) })
    same(answers)
    assert.equal(answers.short.status, 401)
  })

  test('a revoked key counts as one guess each time', async () => {
    const own = await site.reader()
    await ask(portOf(usual), { headers: key(own.key) })
    await site.admin.client.delete(`/api/delivery-keys/${own.id}`)
    const headers = { ...key(own.key), 'x-forwarded-for': '198.51.100.99' }
    const statuses = []
    for (let time = 0; time < 31; time += 1) statuses.push((await ask(portOf(site.cms.app.server), { headers })).status)
    assert.deepEqual([...new Set(statuses.slice(0, 30))], [401])
    assert.equal(statuses[30], 429)
  })

  test('both ways count against the same limit of a key, each request once', async () => {
    await site.admin.client.put('/api/settings', { deliveryRatePerMinute: 6 })
    try {
      const own = await site.reader()
      const headers = key(own.key)
      const ports = [usual, site.cms.app.server].map(portOf)
      const statuses = []
      for (let time = 0; time < 6; time += 1) statuses.push((await ask(ports[time % 2] ?? 0, { headers })).status)
      assert.deepEqual([...new Set(statuses)], [200])
      const answers = await bothWays({ headers })
      same(answers)
      assert.equal(answers.short.status, 429)
      site.clock.advance(60_000)
      assert.equal((await ask(portOf(site.cms.app.server), { headers })).status, 200)
    } finally {
      await site.admin.client.put('/api/settings', { deliveryRatePerMinute: null })
    }
  })

  test('a change shows with the next request', async () => {
    const { id } = await site.live({ title: 'Quick', slug: 'quick', data: { summary: 's' } })
    const path = '/content/article/quick'
    const first = await reader.read(path)
    assert.equal(first.title, 'Quick')
    await site.editor.client.put(`/api/entries/${id}`, { title: 'Quicker' })
    assert.equal((await reader.read(path)).title, 'Quicker')
  })

  test('without a connection to the changes nothing is answered from memory', async () => {
    const other = await startCms({ databaseUrl: site.databaseUrl })
    await other.cms.services.bus.ready()
    const own = portOf(other.cms.app.server)
    await ask(own, { headers: key() })
    assert.equal((await ask(own, { headers: key() })).isRouted, false)
    await other.cms.services.bus.close()
    assert.equal((await ask(own, { headers: key() })).isRouted, true)
    await other.close()
  })
})
