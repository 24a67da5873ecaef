import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { z } from 'zod'
import { corsHeaders } from './cors.ts'
import { apiSurface, type Cors } from './headers.ts'
import { PUBLIC, reply } from './route.ts'
import { call } from './testing/client.ts'
import { error, PUBLIC_URL, route, routes, type Service, startService } from './testing/service.ts'

const SITE = 'https://site.example'
const cors: Cors = {
  origins: new Set([SITE, 'http://localhost:3000']),
  methods: 'GET, POST',
  allowHeaders: 'x-api-key, content-type',
}
const UNKNOWN = [
  'https://evil.example',
  'null',
  '',
  '*',
  'http://site.example',
  'https://site.example:443',
  'https://site.example:8443',
  'https://SITE.example',
  'https://site.example/',
  'https://site.example.evil.example',
  'https://evilsite.example',
  'https://a.site.example',
  'https://site.example, https://evil.example',
  'http://localhost',
  'http://localhost:30000',
  'localhost:3000',
]
const delivery = {
  auth: PUBLIC,
  access: 'all',
  summary: 'Delivered',
  surface: 'delivery',
  output: z.object({}),
} as const
const own = [
  route({ ...delivery, method: 'GET', path: '/content/a', run: () => reply({}, { etag: '"a"' }) }),
  route({
    ...delivery,
    method: 'GET',
    path: '/content/varied',
    run: () => reply({}, { headers: { vary: 'Accept-Language' } }),
  }),
  route({
    ...delivery,
    method: 'GET',
    path: '/content/gone',
    run: () => {
      throw error('gone')
    },
  }),
]

describe('cross-origin calls', () => {
  let service: Service
  before(async () => {
    service = await startService({
      routes: [...routes, ...own],
      surfaces: { api: apiSurface(PUBLIC_URL), delivery: { ...apiSurface(PUBLIC_URL, { vary: 'X-Api-Key' }), cors } },
    })
  })
  after(() => service.stop())
  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    call(service.port, { method, path, headers })
  const grants = (headers: Record<string, unknown>) =>
    Object.keys(headers).filter((name) => name.startsWith('access-control-'))

  test('an origin on the list is named, never with credentials', async () => {
    for (const origin of cors.origins) {
      const { headers } = await ask('/content/a', { origin })
      assert.equal(headers['access-control-allow-origin'], origin)
      assert.deepEqual(grants(headers), ['access-control-allow-origin'])
    }
  })

  test('no other origin is named: not null, no prefix, suffix, other case, scheme or port', async () => {
    for (const origin of UNKNOWN) {
      const answer = await ask('/content/a', { origin })
      assert.equal(answer.status, 200)
      assert.deepEqual(grants(answer.headers), [], origin)
    }
  })

  test('caches are told that the answer depends on the origin, whoever asks', async () => {
    for (const shown of [{}, { origin: SITE }, { origin: 'https://evil.example' }]) {
      assert.equal((await ask('/content/a', shown)).headers.vary, 'X-Api-Key, Origin')
      assert.equal((await ask('/content/varied', shown)).headers.vary, 'Accept-Language, Origin')
      assert.equal((await ask('/content/gone', shown)).headers.vary, 'X-Api-Key, Origin')
    }
    assert.equal((await ask('/content/a', { origin: SITE, 'if-none-match': '"a"' })).headers.vary, 'X-Api-Key, Origin')
  })

  test('a page may read errors and 304 as well', async () => {
    const gone = await ask('/content/gone', { origin: SITE })
    assert.deepEqual([gone.status, gone.headers['access-control-allow-origin']], [404, SITE])
    const fresh = await ask('/content/a', { origin: SITE, 'if-none-match': '"a"' })
    assert.deepEqual([fresh.status, fresh.headers['access-control-allow-origin']], [304, SITE])
    const verb = await ask('/content/a', { origin: SITE }, 'DELETE')
    assert.deepEqual([verb.status, verb.headers['access-control-allow-origin']], [405, SITE])
  })

  test('a browser that asks first is told what it may do', async () => {
    const asking = {
      origin: SITE,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'x-api-key',
    }
    const answer = await ask('/content/a', asking, 'OPTIONS')
    assert.deepEqual([answer.status, answer.text], [204, ''])
    assert.equal(answer.headers['access-control-allow-origin'], SITE)
    assert.equal(answer.headers['access-control-allow-methods'], 'GET, POST')
    assert.equal(answer.headers['access-control-allow-headers'], 'x-api-key, content-type')
    assert.equal(answer.headers['access-control-max-age'], '600')
    assert.equal(answer.headers['access-control-allow-credentials'], undefined)
    assert.equal(answer.headers.vary, 'X-Api-Key, Origin')
    assert.equal(answer.headers['x-content-type-options'], 'nosniff')
  })

  test('a browser that asks from elsewhere is refused', async () => {
    for (const origin of UNKNOWN) {
      const answer = await ask('/content/a', { origin, 'access-control-request-method': 'GET' }, 'OPTIONS')
      assert.deepEqual([answer.status, answer.json.code], [403, 'origin_refused'], origin)
      assert.deepEqual(grants(answer.headers), [])
    }
  })

  test('OPTIONS that is no question is a wrong verb', async () => {
    const answer = await ask('/content/a', {}, 'OPTIONS')
    assert.deepEqual([answer.status, answer.headers.allow], [405, 'GET, HEAD'])
  })

  test('a surface without a list grants nothing to anyone', async () => {
    for (const origin of [SITE, PUBLIC_URL, 'null']) {
      assert.deepEqual(grants((await ask('/api/who', { origin })).headers), [])
      const preflight = await ask('/api/who', { origin, 'access-control-request-method': 'GET' }, 'OPTIONS')
      assert.equal(preflight.status, 405)
      assert.deepEqual(grants(preflight.headers), [])
    }
  })

  test('an unknown path grants nothing', async () => {
    assert.deepEqual(grants((await ask('/content/none', { origin: SITE })).headers), [])
    assert.equal(
      (await ask('/content/none', { origin: SITE, 'access-control-request-method': 'GET' }, 'OPTIONS')).status,
      404,
    )
  })
})

test('Vary keeps what it had and is not doubled', () => {
  const vary = (before?: string) => corsHeaders(cors, undefined, before).vary
  assert.deepEqual(
    [vary(), vary(''), vary('Accept'), vary('Origin'), vary('accept, origin'), vary('*'), vary('X-Origin')],
    ['Origin', 'Origin', 'Accept, Origin', 'Origin', 'accept, origin', '*', 'X-Origin, Origin'],
  )
  assert.deepEqual(corsHeaders(undefined, SITE, 'Accept'), {})
})
