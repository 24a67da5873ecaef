import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { errorBody } from '@stoa/cms-model/errors.ts'
import { type CmsService, PASSWORD, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { startTcpProxy } from '@stoa/tests/lib/tcp-proxy.ts'

let service: CmsService
let admin: Person
before(async () => {
  service = await startCms()
  admin = await service.person('admin')
})
after(() => service.close())

const accounts = () => service.cms.database.db.selectFrom('account').selectAll().orderBy('id').execute()
const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  admin.client.send('POST', '/api/users', { body, headers })
const newcomer = (name: string) =>
  `{"email":"odd@example.test","name":${name},"role":"viewer","password":"${PASSWORD}"}`

/** Sends bytes as they are, and gives all that comes back until the connection ends. */
const exchange = async (request: string): Promise<string> => {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk)).on('error', () => socket.destroy())
  socket.write(request)
  await new Promise((resolve) => socket.once('close', resolve))
  return Buffer.concat(chunks).toString()
}

describe('bad input ends with a code and stores nothing', () => {
  test('members for a route that takes none', async () => {
    const answer = await admin.client.post('/api/realtime/ticket', { topic: 'site' })
    assert.equal(`${answer.status} ${answer.body.code}`, '400 VALIDATION_FAILED')
    assert.deepEqual(
      answer.body.details.fields.map(({ key }: { key: string }) => key),
      ['topic'],
    )
    assert.equal((await admin.client.post('/api/realtime/ticket', {})).status, 200)
  })

  const cases: [rule: string, body: string | Uint8Array<ArrayBuffer>, expected: string][] = [
    ['text that is not JSON', '{nope', '400 INVALID_JSON'],
    ['JSON with something behind it', '{} {}', '400 INVALID_JSON'],
    ['a list in place of an object', '[]', '400 VALIDATION_FAILED'],
    ['a text in place of an object', '"x"', '400 VALIDATION_FAILED'],
    ['null', 'null', '400 VALIDATION_FAILED'],
    ['nothing', '', '400 VALIDATION_FAILED'],
    ['a member given twice', '{"name":"a","name":"b"}', '400 INVALID_JSON'],
    ['a member given twice, once escaped', '{"name":"a","n\\u0061me":"b"}', '400 INVALID_JSON'],
    ['__proto__', '{"__proto__":{"role":"owner"}}', '400 INVALID_JSON'],
    ['constructor', '{"constructor":{"prototype":{}}}', '400 INVALID_JSON'],
    ['NUL', newcomer('"a\\u0000b"'), '400 INVALID_JSON'],
    ['half a surrogate pair', newcomer('"a\\ud800"'), '400 INVALID_JSON'],
    ['bytes that are not UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), '400 INVALID_JSON'],
    ['depth', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, '400 INVALID_JSON'],
    ['a wrong type', newcomer('{"a":1}'), '400 VALIDATION_FAILED'],
    ['a line break in a name', newcomer('"a\\nb"'), '400 VALIDATION_FAILED'],
    ['a name of 201 characters', newcomer(`"${'x'.repeat(201)}"`), '400 VALIDATION_FAILED'],
    ['more than a mebibyte', newcomer(`"${'x'.repeat(1_100_000)}"`), '413 PAYLOAD_TOO_LARGE'],
  ]
  for (const [rule, body, expected] of cases)
    test(rule, async () => {
      const before = await accounts()
      const answer = await post(body)
      assert.equal(`${answer.status} ${answer.body.code}`, expected)
      assert.deepEqual(await accounts(), before)
    })

  test('characters that the database cannot hold, in a query', async () => {
    for (const q of ['%00', 'a%00b', '%ED%A0%80', '%ff']) {
      const answer = await admin.client.get(`/api/users?q=${q}`)
      assert.ok(answer.status < 500, `${q}: ${answer.status}`)
    }
    assert.equal((await admin.client.get('/api/users?q=%00')).body.code, 'VALIDATION_FAILED')
  })

  test('names that are merely unusual are kept as they are', async () => {
    const name = 'Zoë O’Neill-李 <b>&amp; 👩‍🚀'
    const answer = await post(newcomer(JSON.stringify(name)))
    assert.equal(answer.status, 201)
    assert.equal((await admin.client.get(`/api/users/${answer.body.id}`)).body.name, name)
  })
})

describe('addresses and methods', () => {
  test('an unknown address is 404 with its code, under every surface', async () => {
    for (const path of ['/api', '/api/nothing', '/nothing', '/api/auth', '/api/users/1/2', '/api/auth/me/'])
      assert.equal((await admin.client.get(path)).body.code, 'ROUTE_NOT_FOUND', path)
  })

  test('a path that cannot be decoded is 404', async () => {
    for (const path of ['/api/users/%', '/api/users/%ff', '/%c0%ae%c0%ae/']) {
      const answer = await admin.client.get(path)
      assert.equal(answer.status, 404, path)
      assert.ok(answer.body.code)
    }
  })

  test('another verb is 405 and names the allowed ones', async () => {
    const answer = await admin.client.send('PATCH', `/api/users/${admin.id}`, { body: { role: 'owner' } })
    assert.equal(answer.status, 405)
    assert.equal(answer.body.code, 'METHOD_NOT_ALLOWED')
    assert.equal(answer.headers.get('allow'), 'GET, HEAD, PUT, DELETE')
  })

  test('C9: a method override is ignored', async () => {
    const answer = await admin.client.send('GET', `/api/users/${admin.id}?_method=DELETE`, {
      headers: { 'x-http-method-override': 'DELETE' },
    })
    assert.ok(answer.status === 200 || answer.status === 400)
    assert.equal((await admin.client.get('/api/auth/me')).status, 200)
  })

  test('HEAD answers like GET, without the body', async () => {
    const answer = await admin.client.send('HEAD', '/api/auth/me')
    assert.equal(answer.status, 200)
    assert.equal(answer.text, '')
  })
})

describe('every answer', () => {
  const paths = [
    '/api/auth/status',
    '/api/auth/me',
    '/api/nothing',
    '/openapi.json',
    '/healthz',
    '/readyz',
    '/',
    '/admin/',
  ]

  test('names the API version and a request id where it is JSON, and nothing about the program', async () => {
    for (const path of paths) {
      const { headers } = await service.client().get(path)
      assert.equal(headers.get('x-cms-version'), '1.0', path)
      assert.equal(headers.get('server'), null)
      assert.equal(headers.get('x-powered-by'), null)
    }
    assert.match((await service.client().get('/api/nothing')).headers.get('x-request-id') ?? '', /^[\w-]{8,}$/)
  })

  test('of the API forbids sniffing, framing, scripts and keeping', async () => {
    for (const path of ['/api/auth/status', '/api/auth/me', '/api/nothing']) {
      const { headers } = await service.client().get(path)
      assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.equal(headers.get('content-security-policy'), "default-src 'none'; frame-ancestors 'none'")
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.equal(headers.get('referrer-policy'), 'no-referrer')
      assert.equal(headers.get('strict-transport-security'), null, 'PUBLIC_URL is http here')
    }
  })

  test('C84: that is an error has the one shape, and neither stack nor SQL nor path', async () => {
    for (const answer of [
      await service.client().get('/api/auth/me'),
      await admin.client.get('/api/users?sort=x'),
      await post('{nope'),
      await admin.client.get("/api/users/'"),
    ]) {
      assert.ok(errorBody.safeParse(answer.body).success, answer.text)
      assert.doesNotMatch(answer.text, /\bat .*\.ts|select |node_modules|zod|fastify|postgres/i)
    }
  })

  for (const [rule, head] of [
    ['two lengths', 'Host: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked'],
    ['two Hosts', 'Host: a\r\nHost: b'],
    ['no Host', 'X: y'],
    ['a folded header', 'Host: a\r\nX: y\r\n z: 1'],
    ['a header of 100 kB', `Host: a\r\nX: ${'y'.repeat(100_000)}`],
  ])
    test(`C85: to a request with ${rule} is a refusal, and the connection ends`, async () => {
      const text = await exchange(
        `POST /api/auth/logout HTTP/1.1\r\n${head}\r\nAuthorization: Bearer ${admin.token}\r\n\r\n`,
      )
      // What is still on its way when the server hangs up can swallow the answer.
      assert.match(text, /^(HTTP\/1\.1 4(00|31) |$)/)
      assert.equal((await admin.client.get('/api/auth/me')).status, 200)
    })

  test('C82: is made with PUBLIC_URL, whatever Host the client names', async () => {
    const text = await exchange(
      'GET /openapi.json HTTP/1.1\r\nHost: evil.test\r\nX-Forwarded-Host: evil.test\r\nConnection: close\r\n\r\n',
    )
    assert.match(text, /^HTTP\/1\.1 200/)
    assert.ok(text.includes('http://cms.test') && !text.includes('evil.test'))
  })
})

describe('an internal error', () => {
  test('is 500 INTERNAL with the request id and no reason, which is in the log', async () => {
    const broken = await startCms()
    const person = await broken.person('owner')
    await broken.cms.database.tx((tx) =>
      tx.query({ text: 'alter table account rename column updated_by to gone_planted_name' }),
    )
    const answer = await person.client.post('/api/users', {
      email: 'x@example.test',
      name: 'X',
      role: 'viewer',
      password: PASSWORD,
    })
    assert.equal(answer.status, 500)
    assert.deepEqual(answer.body, {
      error: 'The server ran into an unexpected error, which was logged. Try again later.',
      code: 'INTERNAL',
      details: { requestId: answer.headers.get('x-request-id') },
    })
    const line = broken.logs.find((text) => text.includes('request failed')) ?? ''
    assert.ok(line.includes(String(answer.headers.get('x-request-id'))))
    assert.ok(!line.includes(PASSWORD))
    await broken.close()
  })
})

describe('the version that a client asks for', () => {
  for (const [asked, status] of [
    ['1', 200],
    ['1.x', 200],
    ['v1.0', 200],
    ['1.1', 406],
    ['2', 406],
    ['0.9', 406],
    ['latest', 406],
    ['', 406],
  ] as const)
    test(`Accept-Version: ${asked} is ${status}`, async () => {
      const answer = await service.client().get('/api/auth/status', { 'accept-version': asked })
      assert.equal(answer.status, status)
      if (status === 406) assert.equal(answer.body.code, 'UNSUPPORTED_VERSION')
    })

  test('is looked at before anything is done', async () => {
    const before = await accounts()
    const answer = await admin.client.delete(`/api/users/${admin.id}`, { 'accept-version': '9' })
    assert.equal(answer.status, 406)
    assert.deepEqual(await accounts(), before)
  })
})

describe('/openapi.json', () => {
  test('describes every route, with its credential, and revalidates', async () => {
    const answer = await service.client().get('/openapi.json')
    assert.equal(answer.status, 200)
    assert.equal(answer.body.openapi, '3.1.0')
    for (const route of service.cms.routes) {
      const path = answer.body.paths[route.path.replace(/:(\w+)/g, '{$1}')]
      const operation = path?.[route.method.toLowerCase()]
      assert.ok(operation, `${route.method} ${route.path}`)
      assert.equal(operation.security.length, route.auth === 'public' ? 0 : route.auth.length)
      if (route.body) assert.ok(operation.requestBody)
    }
    const fresh = await service.client().get('/openapi.json', { 'if-none-match': String(answer.headers.get('etag')) })
    assert.equal(fresh.status, 304)
  })
})

describe('the admin UI', () => {
  let folder: string
  let site: CmsService
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'admin-'))
    mkdirSync(join(folder, 'assets'))
    writeFileSync(join(folder, 'index.html'), '<!doctype html><style nonce="__CSP_NONCE__"></style>')
    writeFileSync(join(folder, 'assets', 'main-Ab12Cd34.js'), 'export {}')
    site = await startCms({ adminFolder: folder })
  })
  after(async () => {
    await site.close()
    rmSync(folder, { recursive: true })
  })

  test('/ leads to it', async () => {
    const answer = await site.client().get('/')
    assert.equal(answer.status, 302)
    assert.equal(answer.headers.get('location'), '/admin/')
  })

  test('every screen is the page, with a policy of its own nonce', async () => {
    const [first, second] = [await site.client().get('/admin/'), await site.client().get('/admin/users/1')]
    for (const { status, headers, text } of [first, second]) {
      assert.equal(status, 200)
      const nonce = /nonce="([^"]+)"/.exec(text)?.[1] ?? ''
      assert.equal(
        headers.get('content-security-policy'),
        [
          "default-src 'self'",
          "script-src 'self'",
          `style-src 'self' 'nonce-${nonce}'`,
          "img-src 'self' data: blob: https:",
          "media-src 'self' blob:",
          "connect-src 'self'",
          "frame-src 'self' https://www.youtube-nocookie.com https://player.vimeo.com",
          "object-src 'none'",
          "base-uri 'none'",
          "form-action 'self'",
          "frame-ancestors 'none'",
        ].join('; '),
      )
    }
    assert.notEqual(first.text, second.text)
  })

  test('its files are immutable, and a missing one is 404', async () => {
    const answer = await site.client().get('/admin/assets/main-Ab12Cd34.js')
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.equal((await site.client().get('/admin/assets/none-Ab12Cd34.js')).body.code, 'ROUTE_NOT_FOUND')
    assert.equal((await site.client().get('/admin/..%2f..%2fpackage.json')).status, 404)
  })
})

describe('health', () => {
  test('alive and ready', async () => {
    assert.deepEqual((await service.client().get('/healthz')).body, { status: 'ok' })
    assert.deepEqual((await service.client().get('/readyz')).body, { status: 'ready' })
  })

  test('without its database a request is 503 with a code, and works again when it is back', async () => {
    const database = new URL(service.databaseUrl)
    const proxy = await startTcpProxy({ host: database.hostname, port: Number(database.port) })
    database.port = String(proxy.port)
    const behind = await startCms({ databaseUrl: database.href, clock: service.clock, isImpatient: true })
    const client = behind.client({ token: admin.token })
    assert.equal((await client.get('/api/auth/me')).status, 200)
    proxy.freeze()
    const from = performance.now()
    const answer = await client.get('/api/auth/me')
    assert.equal(answer.status, 503)
    assert.equal(answer.body.code, 'UNAVAILABLE')
    assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/)
    assert.ok(performance.now() - from < 10_000)
    assert.equal((await client.get('/readyz')).status, 503)
    assert.equal((await client.get('/healthz')).status, 200)
    proxy.thaw()
    proxy.cut()
    assert.equal((await client.get('/api/auth/me')).status, 200)
    await behind.close()
    await proxy.close()
  })
})
