import assert from 'node:assert/strict'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { z } from 'zod'
import { corsHeaders } from './cors.ts'
import { isForeignRead } from './csrf.ts'
import { apiSurface, type Cors, extSurface } from './headers.ts'
import { Incoming } from './incoming.ts'
import { PUBLIC, reply } from './route.ts'
import { call } from './testing/client.ts'
import { error, PUBLIC_URL, route, routes, type Service, startService } from './testing/service.ts'

const publicRoute = {
  auth: PUBLIC,
  access: 'all',
  summary: 'For a test',
  output: 'empty',
  run: () => undefined,
} as const
let writes = 0
const written = [
  route({
    method: 'POST',
    path: '/api/write',
    summary: 'Counts',
    auth: ['token', 'cookie'],
    access: 'write',
    output: 'empty',
    run: () => {
      writes += 1
      return undefined
    },
  }),
  route({ ...publicRoute, method: 'POST', path: '/api/open' }),
  route({ ...publicRoute, method: 'POST', path: '/api/foreign', crossOrigin: true }),
]

type Credential = 'cookie' | 'bearer' | 'public' | 'public for foreign pages'
const presented: Record<Credential, { path: string; headers: Record<string, string> }> = {
  cookie: { path: '/api/write', headers: { cookie: 'session=writer' } },
  bearer: { path: '/api/write', headers: { authorization: 'Bearer writer' } },
  public: { path: '/api/open', headers: {} },
  'public for foreign pages': { path: '/api/foreign', headers: {} },
}

const OTHER_ORIGINS = [
  'http://evil.example',
  'https://things.example',
  'http://things.example:8080',
  'http://things.example.evil.example',
  'http://evilthings.example',
  'http://a.things.example',
  'http://THINGS.example',
  'http://things.example/',
  'null',
  '',
  `${PUBLIC_URL} http://evil.example`,
  `${PUBLIC_URL}, ${PUBLIC_URL}`,
]
const FOREIGN_SITES = ['cross-site', 'same-site', 'Same-Origin', 'same-origin, same-origin', '', 'x']

for (const csrfProof of [false, true])
  describe(`writes from pages, ${csrfProof ? 'origin to be proven' : 'foreign origin refused'}`, () => {
    let service: Service
    before(async () => {
      service = await startService({ csrfProof, routes: [...routes, ...written] })
    })
    after(() => service.stop())
    const write = async (credential: Credential, shown: Record<string, string>) => {
      const { path, headers } = presented[credential]
      const answer = await call(service.port, { method: 'POST', path, headers: { ...headers, ...shown } })
      if (answer.status === 403) assert.equal(answer.json.code, 'csrf')
      return answer.status
    }

    test('a cookie works from our own pages', async () => {
      assert.equal(await write('cookie', { 'sec-fetch-site': 'same-origin' }), 204)
      assert.equal(await write('cookie', { 'sec-fetch-site': 'same-origin', origin: PUBLIC_URL }), 204)
      assert.equal(await write('cookie', { origin: PUBLIC_URL }), 204)
    })

    test('a cookie from a foreign page is refused, and nothing was written', async () => {
      const before = writes
      for (const origin of OTHER_ORIGINS) assert.equal(await write('cookie', { origin }), 403, origin)
      for (const site of FOREIGN_SITES) {
        assert.equal(await write('cookie', { 'sec-fetch-site': site }), 403, site)
        // The browser's word about the site goes before the origin.
        assert.equal(await write('cookie', { 'sec-fetch-site': site, origin: PUBLIC_URL }), 403, site)
      }
      assert.equal(writes, before)
    })

    test('a cookie without any sign of where it comes from', async () => {
      assert.equal(await write('cookie', {}), csrfProof ? 403 : 204)
      assert.equal(await write('cookie', { 'sec-fetch-site': 'none' }), csrfProof ? 403 : 204)
      assert.equal(
        await write('cookie', { referer: `${PUBLIC_URL}/page`, host: 'things.example' }),
        csrfProof ? 403 : 204,
      )
    })

    test('a bearer token is not sent by a browser on its own, so any origin may use it', async () => {
      for (const origin of ['http://evil.example', 'null', PUBLIC_URL])
        assert.equal(await write('bearer', { origin }), 204)
      for (const site of ['cross-site', 'same-origin'])
        assert.equal(await write('bearer', { 'sec-fetch-site': site }), 204)
      assert.equal(await write('bearer', {}), 204)
      assert.equal(await write('bearer', { cookie: 'session=writer', 'sec-fetch-site': 'cross-site' }), 204)
    })

    test('a public write may be automated, but not by a foreign page, which could sign its visitor in', async () => {
      assert.equal(await write('public', {}), 204)
      assert.equal(await write('public', { origin: PUBLIC_URL }), 204)
      assert.equal(await write('public', { 'sec-fetch-site': 'same-origin' }), 204)
      for (const origin of OTHER_ORIGINS) assert.equal(await write('public', { origin }), 403, origin)
      for (const site of FOREIGN_SITES) assert.equal(await write('public', { 'sec-fetch-site': site }), 403, site)
    })

    test('a public write that is meant for foreign pages takes them', async () => {
      for (const origin of OTHER_ORIGINS) assert.equal(await write('public for foreign pages', { origin }), 204, origin)
      assert.equal(await write('public for foreign pages', { 'sec-fetch-site': 'cross-site' }), 204)
    })

    test('reads are not writes', async () => {
      const headers = { cookie: 'session=reader', 'sec-fetch-site': 'cross-site', origin: 'http://evil.example' }
      for (const method of ['GET', 'HEAD'])
        assert.equal((await call(service.port, { method, path: '/api/things', headers })).status, 200)
    })

    test('every verb that writes is covered', async () => {
      const headers = { cookie: 'session=writer', origin: 'http://evil.example', 'content-type': 'application/json' }
      for (const method of ['PUT', 'DELETE'])
        assert.equal((await call(service.port, { method, path: '/api/things/1', headers })).status, 403, method)
    })

    test('the origin is checked before the permission and before the body', async () => {
      const headers = { cookie: 'session=reader', origin: 'http://evil.example', 'content-type': 'text/plain' }
      const answer = await call(service.port, { method: 'POST', path: '/api/things', headers, body: 'x=1' })
      assert.deepEqual([answer.status, answer.json.code], [403, 'csrf'])
    })
  })

test('a read by a foreign page is recognised for services that give cookies no say there', () => {
  const asks = (site?: string, origin?: string) => {
    const raw = new IncomingMessage(new Socket())
    if (site !== undefined) raw.headers['sec-fetch-site'] = site
    if (origin !== undefined) raw.headers.origin = origin
    return isForeignRead(new Incoming('1', raw, { clientOf: () => '' }), PUBLIC_URL)
  }
  assert.deepEqual([asks(undefined, 'https://evil.example'), asks(undefined, PUBLIC_URL)], [true, false])
  assert.deepEqual(
    [asks('cross-site'), asks('same-site'), asks('same-origin'), asks('none'), asks()],
    [true, true, false, false, false],
  )
})

const SITE = 'https://site.example'
const LISTED = new Set([SITE, 'http://localhost:3000'])
const cors: Cors = {
  origins: LISTED,
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
const delivered = [
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
      routes: [...routes, ...delivered],
      surfaces: { api: apiSurface(PUBLIC_URL), delivery: { ...apiSurface(PUBLIC_URL, { vary: 'X-Api-Key' }), cors } },
    })
  })
  after(() => service.stop())
  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    call(service.port, { method, path, headers })
  const grants = (headers: Record<string, unknown>) =>
    Object.keys(headers).filter((name) => name.startsWith('access-control-'))

  test('an origin on the list is named, never with credentials', async () => {
    for (const origin of LISTED) {
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

  test('`Vary: Origin` is sent to every client', async () => {
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

  test('a preflight request is answered with what is allowed', async () => {
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

describe('what other sites load and call', () => {
  const listed = new Set<string>()
  const ext = { ...publicRoute, crossOrigin: true } as const
  let service: Service
  before(async () => {
    const asked = { methods: 'GET, POST', allowHeaders: 'content-type' }
    service = await startService({
      routes: [
        route({ ...ext, method: 'POST', path: '/ext/ask', surface: 'asked' }),
        route({ ...ext, method: 'GET', path: '/ext/widget', surface: 'loaded' }),
      ],
      surfaces: {
        api: apiSurface(PUBLIC_URL),
        asked: extSurface(PUBLIC_URL, { ...asked, origins: listed }),
        loaded: extSurface(PUBLIC_URL, { ...asked, origins: '*' }, { 'cache-control': 'public, max-age=300' }),
      },
    })
  })
  after(() => service.stop())

  test('an origin that is added at run time is let in at once, and one that is removed is not', async () => {
    const ask = (method: string, headers: Record<string, string> = {}) =>
      call(service.port, { method, path: '/ext/ask', headers: { origin: SITE, ...headers } })
    const preflight = () => ask('OPTIONS', { 'access-control-request-method': 'POST' })
    assert.equal((await preflight()).status, 403)
    listed.add(SITE)
    assert.equal((await preflight()).status, 204)
    assert.equal((await ask('POST')).headers['access-control-allow-origin'], SITE)
    listed.delete(SITE)
    assert.equal((await preflight()).status, 403)
    assert.equal((await ask('POST')).headers['access-control-allow-origin'], undefined)
  })

  test('what is public is for every page, also one in a sandbox, without credentials and without a difference', async () => {
    for (const origin of ['null', 'https://anywhere.example', SITE]) {
      const { headers } = await call(service.port, { method: 'GET', path: '/ext/widget', headers: { origin } })
      assert.equal(headers['access-control-allow-origin'], '*')
      assert.equal(headers['access-control-allow-credentials'], undefined)
      assert.equal(headers['cross-origin-resource-policy'], 'cross-origin')
      assert.equal(headers['cache-control'], 'public, max-age=300')
      assert.equal(headers.vary, undefined)
      assert.equal(headers['x-content-type-options'], 'nosniff')
    }
  })
})
