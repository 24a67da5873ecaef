import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { z } from 'zod'
import { strongEtag } from './etag.ts'
import { apiSurface, baseHeaders, pagePolicy } from './headers.ts'
import { PUBLIC, reply } from './route.ts'
import { type Answer, type Call, call, exchange, writeJson } from './testing/client.ts'
import { error, route, routes, SECRET_TEXT, type Service, startService } from './testing/service.ts'

const open = { method: 'GET', auth: PUBLIC, access: 'all', summary: 'For a test' } as const
const ETAG = strongEtag('the bytes')
const streams: Readable[] = []
const stream = (parts: readonly string[]): Readable => {
  const made = Readable.from(parts)
  streams.push(made)
  return made
}

const own = [
  route({
    ...open,
    path: '/api/tagged',
    output: z.object({ a: z.number() }),
    run: () => reply({ a: 1 }, { etag: ETAG, headers: { 'Cache-Control': 'private, no-cache', Vary: 'X-Api-Key' } }),
  }),
  route({
    ...open,
    path: '/api/tagged-stream',
    output: 'raw',
    run: () =>
      reply(stream(['the ', 'bytes']), { etag: ETAG, contentType: 'text/plain', headers: { 'content-length': '9' } }),
  }),
  route({
    ...open,
    method: 'POST',
    path: '/api/tagged',
    output: z.object({ a: z.number() }),
    run: () => reply({ a: 1 }, { etag: ETAG }),
  }),
  route({
    ...open,
    path: '/api/leaky',
    output: z.object({ id: z.string(), inner: z.array(z.object({ b: z.string() })) }),
    run: () => ({ id: '1', hash: SECRET_TEXT, inner: [{ b: 'x', hash: SECRET_TEXT }], toJSON: undefined }),
  }),
  route({
    ...open,
    path: '/api/wrong-answer',
    output: z.object({ id: z.string() }),
    run: () => JSON.parse(`{"id":5,"hash":"${SECRET_TEXT}"}`),
  }),
  route({
    ...open,
    path: '/api/cut',
    output: 'raw',
    run: () =>
      Readable.from(
        (async function* () {
          yield 'the first part'
          throw new Error(SECRET_TEXT)
        })(),
      ),
  }),
  route({
    ...open,
    path: '/api/cookies',
    output: 'empty',
    run: () =>
      reply(undefined, {
        cookies: [
          { name: 'session', value: 'abc', maxAgeSeconds: 60, secure: true },
          { name: 'old', value: '', maxAgeSeconds: 0, secure: false },
        ],
      }),
  }),
  route({
    ...open,
    path: '/api/injected',
    output: 'empty',
    run: () => reply(undefined, { headers: { 'x-a': 'b\r\nset-cookie: c=d' } }),
  }),
  route({
    ...open,
    path: '/api/text',
    output: 'raw',
    run: () => reply('grün', { contentType: 'text/plain; charset=utf-8' }),
  }),
  route({ ...open, path: '/api/bytes', output: 'raw', run: () => Buffer.from([0, 1, 2]) }),
  route({
    ...open,
    path: '/api/refusing',
    output: 'empty',
    run: async () => {
      throw error('conflict', { details: { with: 'x' }, headers: { 'x-hint': 'y' }, cause: new Error(SECRET_TEXT) })
    },
  }),
]

describe('answers', () => {
  let service: Service
  before(async () => {
    service = await startService({ routes: [...routes, ...own] })
  })
  after(() => service.stop())
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> =>
    call(service.port, { method, path, headers })

  describe('never hold what is not in the contract', () => {
    test('members outside the output schema are dropped at every depth', async () => {
      assert.equal((await get('/api/leaky')).text, '{"id":"1","inner":[{"b":"x"}]}')
      assert.equal((await get('/api/things/1', { authorization: 'Bearer reader' })).text, '{"id":"1","name":"A thing"}')
      const created = await writeJson(service.port, '/api/things', '{"name":"a","size":3}')
      assert.deepEqual([created.status, created.text], [201, '{"id":"new","name":"a"}'])
    })

    test('an answer that breaks its own contract is an error without its content, and is logged', async () => {
      const answer = await get('/api/wrong-answer')
      assert.equal(answer.status, 500)
      assert.ok(!answer.text.includes('hunter2'))
      assert.ok(service.logged.some((line) => line.includes('/api/wrong-answer')))
    })

    test('an unexpected error gives the client a code and an ID, and the log the rest', async () => {
      for (const path of ['/api/broken', '/api/broken-stream']) {
        const answer = await get(path)
        assert.equal(answer.status, 500)
        assert.deepEqual(Object.keys(answer.json), ['code', 'message', 'requestId'])
        assert.equal(answer.json.requestId, answer.headers['x-request-id'])
        assert.doesNotMatch(answer.text + JSON.stringify(answer.headers), /hunter2|select|\.ts|at /)
        assert.ok(service.logged.some((line) => line.includes(String(answer.json.requestId)) && line.includes('db.ts')))
      }
    })

    test('an expected refusal is not logged as a failure and hides its cause', async () => {
      const logged = service.logged.length
      const answer = await get('/api/refusing')
      assert.deepEqual([answer.status, answer.json.details, answer.headers['x-hint']], [409, { with: 'x' }, 'y'])
      assert.ok(!answer.text.includes('hunter2'))
      assert.equal(service.logged.length, logged)
    })

    test('a failed stream does not lend its headers to the error', async () => {
      const { headers } = await get('/api/broken-stream')
      assert.equal(headers['cache-control'], 'no-store')
      for (const name of ['etag', 'content-disposition']) assert.equal(headers[name], undefined)
      assert.match(String(headers['content-type']), /^application\/json/)
    })

    test('a stream that fails after its start is cut off, so that nobody takes it for whole', async () => {
      await assert.rejects(get('/api/cut'), /aborted|hang up|reset/i)
      const { text, closed } = await exchange(service.port, 'GET /api/cut HTTP/1.1\r\nHost: a\r\n\r\n')
      assert.equal(closed, true)
      assert.ok(!text.includes('hunter2') && !text.endsWith('0\r\n\r\n'))
    })

    test('a header with a line break in it is a failure, not a second header, and ends the connection', async () => {
      const { text, closed } = await exchange(service.port, 'GET /api/injected HTTP/1.1\r\nHost: a\r\n\r\n')
      assert.match(text, /^HTTP\/1\.1 500 /)
      assert.doesNotMatch(text, /set-cookie/i)
      assert.equal(closed, true)
    })
  })

  describe('validators', () => {
    const fresh = [ETAG, `W/${ETAG}`, `"a", ${ETAG}`, `"a",W/${ETAG} ,"b"`, '*', ' * ']
    const stale = [
      '',
      '"other"',
      ETAG.slice(0, -2),
      ETAG.replaceAll('"', ''),
      `${ETAG}x`,
      'W/"other"',
      '"*"',
      ETAG.toUpperCase(),
    ]

    test('a client that has the bytes gets 304 with the headers and without the body', async () => {
      const whole = await get('/api/tagged')
      assert.deepEqual([whole.status, whole.headers.etag], [200, ETAG])
      for (const method of ['GET', 'HEAD'])
        for (const value of fresh) {
          const answer = await get('/api/tagged', { 'if-none-match': value }, method)
          assert.deepEqual([answer.status, answer.text], [304, ''], value)
          for (const name of ['etag', 'cache-control', 'vary', 'x-content-type-options', 'content-security-policy'])
            assert.equal(answer.headers[name], whole.headers[name], name)
          assert.equal(answer.headers['content-type'], undefined)
        }
    })

    test('a client that has other bytes gets the whole', async () => {
      for (const value of stale) assert.equal((await get('/api/tagged', { 'if-none-match': value })).status, 200, value)
    })

    test('a write is never answered with 304', async () => {
      assert.equal((await get('/api/tagged', { 'if-none-match': ETAG }, 'POST')).status, 200)
    })

    test('a stream that is not needed is let go', async () => {
      streams.length = 0
      assert.equal((await get('/api/tagged-stream', { 'if-none-match': ETAG })).status, 304)
      const head = await get('/api/tagged-stream', {}, 'HEAD')
      assert.deepEqual([head.status, head.text, head.headers['content-length']], [200, '', '9'])
      const whole = await get('/api/tagged-stream')
      assert.deepEqual([whole.status, whole.text, whole.headers['content-type']], [200, 'the bytes', 'text/plain'])
      assert.deepEqual(
        streams.map(({ destroyed }) => destroyed),
        [true, true, true],
      )
    })
  })

  describe('shape', () => {
    test('a header of an answer replaces the common one, in any spelling', async () => {
      const { text } = await exchange(service.port, 'GET /api/tagged HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
      assert.deepEqual(text.match(/^cache-control:.*$/gim), ['cache-control: private, no-cache'])
    })

    test('nothing is 204 without a body, also without a length', async () => {
      const { text } = await exchange(
        service.port,
        'POST /api/sign-in HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
      )
      assert.match(text, /^HTTP\/1\.1 204 /)
      assert.doesNotMatch(text, /^(?:content-length|transfer-encoding|content-type):/im)
      assert.ok(text.endsWith('\r\n\r\n'))
    })

    test('text and bytes go out as they are, with their length', async () => {
      const text = await get('/api/text')
      assert.deepEqual(
        [text.text, text.headers['content-length'], text.headers['content-type']],
        ['grün', '5', 'text/plain; charset=utf-8'],
      )
      const bytes = await get('/api/bytes')
      assert.deepEqual([bytes.text, bytes.headers['content-type']], ['\u0000\u0001\u0002', 'application/octet-stream'])
    })

    test('cookies stay on this host, out of reach of scripts', async () => {
      assert.deepEqual((await get('/api/cookies')).headers['set-cookie'], [
        'session=abc; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure',
        'old=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
      ])
    })

    test('each request has its own id, which a client cannot choose', async () => {
      const ids = new Set<unknown>()
      for (let at = 0; at < 20; at += 1)
        ids.add((await get('/api/who', { 'x-request-id': 'mine', 'request-id': 'mine' })).headers['x-request-id'])
      assert.equal(ids.size, 20)
      assert.ok(!ids.has('mine'))
    })
  })
})

const everyAnswer: Record<string, Call & { status: number }> = {
  success: { path: '/api/who', status: 200 },
  'no content': { method: 'POST', path: '/api/sign-in', status: 204 },
  'bad input': {
    method: 'POST',
    path: '/api/things/check',
    headers: { 'content-type': 'text/plain' },
    body: 'x',
    status: 415,
  },
  'no credential': { path: '/api/things', status: 401 },
  'no permission': {
    method: 'DELETE',
    path: '/api/things/1',
    headers: { authorization: 'Bearer reader' },
    status: 403,
  },
  'unknown path': { path: '/nothing', status: 404 },
  'path that cannot be decoded': { path: '/%zz', status: 404 },
  'wrong verb': { method: 'PUT', path: '/api/who', status: 405 },
  failure: { path: '/api/broken', status: 500 },
  'failed stream': { path: '/api/broken-stream', status: 500 },
  health: { path: '/healthz', status: 200 },
  readiness: { path: '/readyz', status: 200 },
  'wrong verb on health': { method: 'POST', path: '/healthz', status: 405 },
}

for (const [publicUrl, isSecure] of [
  ['https://things.example', true],
  ['http://things.example', false],
] as const)
  describe(`headers of every answer at ${publicUrl}`, () => {
    let service: Service
    before(async () => {
      service = await startService({ publicUrl, surfaces: { api: apiSurface(publicUrl) } })
    })
    after(() => service.stop())

    const check = ({ headers }: Answer) => {
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.equal(headers['referrer-policy'], 'no-referrer')
      assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
      assert.equal(headers['cross-origin-resource-policy'], 'same-origin')
      assert.equal(headers['permissions-policy'], 'camera=(), microphone=(), geolocation=()')
      assert.equal(headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'")
      assert.equal(headers['cache-control'], 'no-store')
      assert.equal(headers['strict-transport-security'], isSecure ? 'max-age=63072000; includeSubDomains' : undefined)
      for (const name of ['server', 'x-powered-by', 'via']) assert.equal(headers[name], undefined)
    }
    for (const [name, { status, ...asked }] of Object.entries(everyAnswer))
      test(name, async () => {
        const answer = await call(service.port, asked)
        assert.equal(answer.status, status)
        check(answer)
        if (status !== 204) assert.match(String(answer.headers['content-type']), /^application\/json/)
      })
  })

test('a surface adds to the common headers or replaces them', () => {
  const { headers } = apiSurface('http://a.example', { vary: 'X-Api-Key', 'cache-control': 'private, no-cache' })
  assert.equal(headers['cache-control'], 'private, no-cache')
  assert.equal(headers.vary, 'X-Api-Key')
  assert.equal(headers['x-content-type-options'], baseHeaders('http://a.example')['x-content-type-options'])
})

test('the policy of a page allows its own scripts only, and nothing inline', () => {
  const policy = pagePolicy('abc')
  for (const part of [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'nonce-abc'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
    "frame-src 'self'",
  ])
    assert.ok(policy.split('; ').includes(part), part)
  assert.doesNotMatch(policy, /unsafe|\*/)
  assert.ok(
    pagePolicy('abc', { frameSrc: "'self' https://video.example" }).includes("frame-src 'self' https://video.example"),
  )
})
