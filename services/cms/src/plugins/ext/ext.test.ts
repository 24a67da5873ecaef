import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { errorBody } from '@stoa/cms-model/errors.ts'
import { type CmsAnswer, type CmsService, type Person, PUBLIC_URL, startCms } from '@stoa/tests/lib/cms.ts'
import { agentFor } from '../../people/agent-keys/testing/agents.ts'
import type { EnabledPlugin, PluginCall } from '../running/running.ts'
import { PluginProblem, SandboxFailure } from '../sandbox/sandbox.ts'
import { type Handler, inProcessPlugins } from '../store/testing/in-process.ts'
import { installPlugin } from '../store/testing/installed.ts'

const plugins = inProcessPlugins()
let service: CmsService
let author: Person
let viewer: Person
let deliveryKey: string
let hello: EnabledPlugin
let calls: PluginCall[]
let handler: Handler

const HASH = '0123456789abcdef'.repeat(4)
const ROUTES = [
  { method: 'GET', path: '/plans', auth: 'session', permission: 'content.write' },
  { method: 'POST', path: '/plans', auth: 'session', permission: 'content.write' },
  { method: 'GET', path: '/plans/new', auth: 'session', permission: 'content.write' },
  { method: 'GET', path: '/plans/:id', auth: 'session', permission: 'content.write' },
  { method: 'PUT', path: '/plans/:planId', auth: 'session', permission: 'content.write' },
  { method: 'DELETE', path: '/plans/:id', auth: 'session', permission: 'content.write' },
  { method: 'GET', path: '/media', auth: 'session', permission: 'media.manage' },
  { method: 'GET', path: '/site', auth: 'delivery' },
  { method: 'GET', path: '/open', auth: 'public' },
  { method: 'POST', path: '/open/:token', auth: 'public' },
]
const FILES = {
  'plugin.json': '{}',
  'server.js': 'export const routes = {}',
  'screens/plans.html': '<!doctype html><script type="module" src="plans.js"></script>',
  'screens/plans.js': 'console.log(1)',
  'screens/deep/style.css': 'body {}',
  'screens/odd.xyz': '<script>alert(1)</script>',
  'screens/picture.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
}

before(async () => {
  service = await startCms({ plugins })
  const { services } = service.cms
  author = await service.person('author', { name: 'Ann Author' })
  viewer = await service.person('viewer')
  const admin = await service.person('admin')
  deliveryKey = (await admin.client.post('/api/delivery-keys', { name: 'Site', types: ['*'] })).body.key
  const given = {
    name: 'hello',
    permissions: ['content.write'],
    routes: ROUTES,
    pages: [{ path: 'approve', file: 'screens/plans.html' }],
  }
  hello = await installPlugin(services, given, { files: FILES, hash: HASH })
  const other = await installPlugin(services, { name: 'other', permissions: ['content.write'] }, { files: FILES })
  plugins.set(hello, (call) => {
    calls.push(call)
    return handler(call)
  })
  plugins.set(other, () => 'other')
})
after(() => service.close())
beforeEach(() => {
  calls = []
  handler = () => ({ ok: true })
})

const refused = (answer: CmsAnswer, expected: string) => {
  assert.equal(`${answer.status} ${answer.body?.code}`, expected, answer.text.slice(0, 300))
  errorBody.strict().parse(answer.body)
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
}
const key = () => ({ 'x-api-key': deliveryKey })

describe('what a plugin is asked', () => {
  test('the person, the path, what it stands for, the query and the body', async () => {
    const answer = await author.client.put('/ext/hello/plans/a%20b?q=1&q=2&r=%C3%A9', { title: 'T', list: [1, null] })
    assert.deepEqual([answer.status, answer.body], [200, { ok: true }])
    const [call] = calls
    assert.equal(call?.name, 'PUT /plans/:planId')
    assert.equal(call?.kind, 'route')
    assert.deepEqual(call?.input, {
      method: 'PUT',
      path: '/plans/a%20b',
      params: { planId: 'a b' },
      query: { q: ['1', '2'], r: 'é' },
      body: { title: 'T', list: [1, null] },
      actor: { id: author.id, name: 'Ann Author', role: 'author' },
    })
    assert.equal(call?.caller.kind === 'person' && call.caller.account.id, author.id)
  })

  test('a visitor is nobody; a read has no body', async () => {
    await service.client().get('/ext/hello/open')
    await service.client().get('/ext/hello/site', key())
    assert.deepEqual(
      calls.map(({ caller, input }) => [caller, (input as { actor: null }).actor, (input as { body: null }).body]),
      [
        [{ kind: 'visitor' }, null, null],
        [{ kind: 'visitor' }, null, null],
      ],
    )
  })

  test('a path that is written out beats one with a parameter, for every method', async () => {
    await author.client.get('/ext/hello/plans/new')
    assert.equal(calls[0]?.name, 'GET /plans/new')
    refused(await author.client.put('/ext/hello/plans/new', {}), '405 METHOD_NOT_ALLOWED')
    assert.equal(calls.length, 1)
  })
})

describe('what a plugin answers', () => {
  const get = () => author.client.get('/ext/hello/plans')

  test('is JSON whatever it holds, under headers that are not its own', async () => {
    for (const value of [null, 0, false, '', '<script>alert(1)</script>', [], { headers: { 'set-cookie': 'a=b' } }]) {
      handler = () => value
      const answer = await get()
      assert.equal(answer.status, 200)
      assert.deepEqual(JSON.parse(answer.text), value)
      assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
      assert.equal(answer.headers.get('cache-control'), 'no-store')
      assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'/)
      assert.equal(answer.headers.get('set-cookie'), null)
      assert.equal(answer.headers.get('access-control-allow-origin'), null)
    }
  })

  test('nothing is 204', async () => {
    handler = () => undefined
    const answer = await get()
    assert.deepEqual([answer.status, answer.text], [204, ''])
  })

  test('a problem has its status and words, also when it says 401', async () => {
    for (const status of [400, 401, 404, 409, 422, 499]) {
      handler = () => {
        throw new PluginProblem(status, 'Not like this', { field: 'title' })
      }
      const answer = await get()
      refused(answer, `${status} PLUGIN_REFUSED`)
      assert.deepEqual([answer.body.error, answer.body.details], ['Not like this', { field: 'title' }])
      assert.equal(answer.headers.get('www-authenticate'), null)
    }
    for (const status of [200, 302, 500, 4.5, Number.NaN]) {
      handler = () => {
        throw new PluginProblem(status, '', ['x'])
      }
      const answer = await get()
      refused(answer, '400 PLUGIN_REFUSED')
      assert.deepEqual(answer.body.details, { value: ['x'] })
    }
  })

  test('a failure is 502 and reveals nothing of its code; too many calls are 503', async () => {
    for (const kind of ['failed', 'timeout', 'stopped'] as const) {
      handler = () => {
        throw new SandboxFailure(kind, 'secret at server.js:12')
      }
      const answer = await get()
      refused(answer, '502 PLUGIN_FAILED')
      assert.ok(!answer.text.includes('secret'))
    }
    handler = () => {
      throw new SandboxFailure('busy', 'full')
    }
    const busy = await get()
    refused(busy, '503 UNAVAILABLE')
    assert.ok(Number(busy.headers.get('retry-after')) > 0)
  })

  test('over 1 MiB is a failure of the plugin', async () => {
    handler = () => 'x'.repeat(1024 * 1024)
    refused(await get(), '502 PLUGIN_FAILED')
    handler = () => 'x'.repeat(1024 * 1024 - 2)
    assert.equal((await get()).status, 200)
    handler = () => {
      throw new PluginProblem(400, 'x'.repeat(5_000), 'y'.repeat(2_000_000))
    }
    const answer = await get()
    refused(answer, '400 PLUGIN_REFUSED')
    assert.ok(answer.text.length < 2_000)
  })
})

describe('who may call', () => {
  test('a session route: a person who holds its permission, and nobody else', async () => {
    refused(await service.client().get('/ext/hello/plans'), '401 AUTH_REQUIRED')
    refused(await viewer.client.get('/ext/hello/plans'), '403 FORBIDDEN')
    refused(await service.client().get('/ext/hello/plans', key()), '401 WRONG_CREDENTIAL_KIND')
    refused(await service.client({ token: deliveryKey }).get('/ext/hello/plans'), '401 WRONG_CREDENTIAL_KIND')
    refused(await service.client({ token: 'cmsses_wrong' }).get('/ext/hello/plans'), '401 INVALID_TOKEN')
    const agent = await agentFor(service, await service.person('admin'))
    refused(await agent.client.get('/ext/hello/plans'), '403 AGENT_NOT_ALLOWED')
    assert.deepEqual(calls, [])
  })

  test('every holder of its permission may call it, also where the plugin itself was not given it', async () => {
    assert.equal((await (await service.person('editor')).client.get('/ext/hello/media')).status, 200)
    refused(await (await service.person('viewer')).client.get('/ext/hello/media'), '403 FORBIDDEN')
    assert.equal(calls.length, 1)
  })

  test('a delivery route: a delivery key, and no session', async () => {
    assert.equal((await service.client().get('/ext/hello/site', key())).status, 200)
    refused(await service.client().get('/ext/hello/site'), '401 AUTH_REQUIRED')
    refused(await author.client.get('/ext/hello/site'), '401 WRONG_CREDENTIAL_KIND')
    refused(
      await service.client().get('/ext/hello/site', { 'x-api-key': `cms_${'x'.repeat(43)}` }),
      '401 INVALID_TOKEN',
    )
    assert.equal(calls.length, 1)
  })

  test('a cookie writes from pages of the service only', async () => {
    const client = service.client({ cookie: author.token })
    for (const headers of [
      { origin: 'https://evil.test' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'null' },
      {},
    ] as Record<string, string>[])
      refused(await client.post('/ext/hello/plans', {}, headers), '403 CSRF')
    assert.deepEqual(calls, [])
    assert.equal((await client.post('/ext/hello/plans', {}, { origin: PUBLIC_URL })).status, 200)
    // A frame of a plugin has no origin; its page must not read with the person's cookie either.
    refused(await client.get('/ext/hello/plans', { 'sec-fetch-site': 'cross-site' }), '401 AUTH_REQUIRED')
  })
})

describe('a public route', () => {
  test('reads no cookie, sets none, and answers every page', async () => {
    const client = service.client({ cookie: author.token })
    const answer = await client.post('/ext/hello/open/t', {}, { origin: 'https://elsewhere.test' })
    assert.equal(answer.status, 200)
    assert.deepEqual(calls[0]?.caller, { kind: 'visitor' })
    assert.equal(answer.headers.get('access-control-allow-origin'), '*')
    assert.equal(answer.headers.get('access-control-allow-credentials'), null)
    assert.equal(answer.headers.get('set-cookie'), null)
    assert.equal(answer.headers.get('cross-origin-resource-policy'), 'cross-origin')
  })

  test('says before that pages may call it; a session route does not', async () => {
    const ask = (path: string, method: string) =>
      service.client().send('OPTIONS', path, {
        headers: {
          origin: 'null',
          'access-control-request-method': method,
          'access-control-request-headers': 'content-type',
        },
      })
    const open = await ask('/ext/hello/open/t', 'POST')
    assert.deepEqual([open.status, open.headers.get('access-control-allow-origin')], [204, '*'])
    assert.match(open.headers.get('access-control-allow-headers') ?? '', /Content-Type/)
    assert.match(open.headers.get('access-control-allow-methods') ?? '', /POST/)
    const closed = await ask('/ext/hello/plans', 'POST')
    assert.notEqual(closed.status, 204)
    assert.equal(closed.headers.get('access-control-allow-credentials'), null)
    assert.deepEqual(calls, [])
  })

  test('answers an address ten times a minute, each route for itself', async () => {
    const client = service.client()
    for (let count = 0; count < 10; count += 1) assert.equal((await client.get('/ext/hello/open')).status, 200)
    const limited = await client.get('/ext/hello/open')
    refused(limited, '429 RATE_LIMITED')
    assert.ok(Number(limited.headers.get('retry-after')) > 0)
    assert.equal(limited.headers.get('access-control-allow-origin'), '*')
    assert.equal(calls.length, 10)
    assert.equal((await service.client().get('/ext/hello/open')).status, 200)
    service.clock.advance(61_000)
    assert.equal((await client.get('/ext/hello/open')).status, 200)
  })
})

describe('addresses and methods', () => {
  test('what is unknown, off or the service’s own is 404 for everybody', async () => {
    for (const path of [
      '/ext',
      '/ext/',
      '/ext/none/plans',
      '/ext/hello',
      '/ext/hello/',
      '/ext/hello/nothing',
      '/ext/hello/plans/',
      '/ext/hello//plans',
      '/ext/hello/plans/a/b',
      '/ext/other/plans',
      '/ext/assistant/chat',
      '/ext/__proto__/plans',
      '/ext/constructor/plans',
      '/ext/HELLO/plans',
    ])
      refused(await author.client.get(path), '404 ROUTE_NOT_FOUND')
    plugins.off('hello')
    try {
      for (const path of ['plans', 'open', 'site', 'screens/plans.html', 'pages/approve'])
        refused(await author.client.get(`/ext/hello/${path}`), '404 ROUTE_NOT_FOUND')
    } finally {
      plugins.set(hello, (call) => {
        calls.push(call)
        return handler(call)
      })
    }
    assert.deepEqual(calls, [])
  })

  test('a wrong method is 405 with those that there are, before any credential', async () => {
    for (const [path, allow] of [
      ['/ext/hello/plans', 'GET, HEAD, POST'],
      ['/ext/hello/plans/7', 'GET, HEAD, PUT, DELETE'],
      ['/ext/hello/screens/plans.js', 'GET, HEAD'],
    ] as const)
      for (const method of ['PATCH', 'OPTIONS']) {
        const answer = await service.client().send(method, path)
        refused(answer, '405 METHOD_NOT_ALLOWED')
        assert.equal(answer.headers.get('allow'), allow)
      }
  })

  test('HEAD is GET without the body', async () => {
    const answer = await author.client.send('HEAD', '/ext/hello/plans')
    assert.deepEqual([answer.status, answer.text, answer.headers.get('content-length')], [200, '', '11'])
    assert.equal(calls[0]?.name, 'GET /plans')
  })

  test('tricks with paths lead nowhere', async () => {
    const paths = [
      '/ext/hello/screens/..%2fserver.js',
      '/ext/hello/screens/../server.js',
      '/ext/hello/screens/%2e%2e/server.js',
      '/ext/hello/screens/..%5cserver.js',
      '/ext/hello/screens/.%2e/server.js',
      '/ext/hello/screens/%252e%252e/server.js',
      '/ext/hello/screens/deep%2fstyle.css',
      '/ext/hello/screens\\plans.html',
      '/ext/hello/screens/plans.html%00.js',
      '/ext/hello/screens//plans.html',
      '/ext/hello/screens/./plans.html',
      '/ext/hello/screens/',
      '/ext/hello/screens',
      '/ext/hello/screens/deep',
      '/ext/hello/screens/deep/',
      '/ext/hello/server.js',
      '/ext/hello/plugin.json',
      '/ext/hello/pages/',
      '/ext/hello/pages/plans.html',
      '/ext/hello/pages/approve/x',
      '/ext/hello/plans%2fnew',
      '/ext/hello/plans/a%2fb',
      '/ext/hello/plans/%ff',
      '/ext/hello/plans/..%5c..',
      '/ext/hello/../other/plans',
      '/ext/hello%2fplans',
      '/ext%2fhello/plans',
    ]
    for (const path of paths) {
      // By hand: clients tidy such paths up before they send them.
      const answer = await exchange(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${author.token}\r\n`)
      assert.match(answer, /^HTTP\/1\.1 40[04] /, path)
    }
    assert.deepEqual(calls, [])
  })

  test('bodies are JSON, and bounded', async () => {
    const post = (body: string, headers = {}) => author.client.send('POST', '/ext/hello/plans', { body, headers })
    refused(await post('x'.repeat(1_100_000)), '413 PAYLOAD_TOO_LARGE')
    refused(await post('{"a":1,"a":2}'), '400 INVALID_JSON')
    refused(await post('{"__proto__":{}}'), '400 INVALID_JSON')
    refused(await post('['.repeat(100_000)), '400 INVALID_JSON')
    refused(await post('a=1', { 'content-type': 'application/x-www-form-urlencoded' }), '415 UNSUPPORTED_MEDIA')
    assert.equal(calls.length, 0)
    assert.equal((await post('[1,2]')).status, 200)
    assert.equal((await author.client.get('/ext/hello/plans?__proto__=1&a=2')).status, 200)
    const [posted, read] = calls.map(({ input }) => input as { body: unknown; query: unknown })
    assert.deepEqual(posted?.body, [1, 2])
    assert.equal(JSON.stringify(read?.query), '{"a":"2"}')
  })
})

describe('files of screens', () => {
  test('are given to anybody under a policy that leaves them nothing but their own files', async () => {
    const answer = await service.client({ cookie: author.token }).get('/ext/hello/screens/plans.html')
    assert.equal(answer.status, 200)
    assert.equal(answer.text, FILES['screens/plans.html'])
    assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8')
    const own = `${PUBLIC_URL}/ext/hello/screens/`
    assert.deepEqual(answer.headers.get('content-security-policy')?.split('; '), [
      'sandbox allow-scripts allow-forms',
      "default-src 'none'",
      `script-src ${own}`,
      `style-src ${own} ${PUBLIC_URL}/ext/ui.css`,
      `img-src ${own}`,
      `font-src ${own} ${PUBLIC_URL}/ext/ui/`,
      "connect-src 'none'",
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'self'",
    ])
    assert.equal(answer.headers.get('cross-origin-resource-policy'), 'cross-origin')
    assert.equal(answer.headers.get('access-control-allow-origin'), '*')
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(answer.headers.get('set-cookie'), null)
  })

  test('have types of a short list; what is not on it is saved, not shown', async () => {
    const get = (path: string) => service.client().get(`/ext/hello/screens/${path}`)
    assert.equal((await get('plans.js')).headers.get('content-type'), 'text/javascript; charset=utf-8')
    assert.equal((await get('deep/style.css')).headers.get('content-type'), 'text/css; charset=utf-8')
    const picture = await get('picture.svg')
    assert.match(picture.headers.get('content-security-policy') ?? '', /^sandbox /)
    const odd = await get('odd.xyz')
    assert.equal(odd.headers.get('content-type'), 'application/octet-stream')
    assert.match(odd.headers.get('content-disposition') ?? '', /^attachment/)
    refused(await get('none.js'), '404 ROUTE_NOT_FOUND')
  })

  test('are kept for ever under the address of their state, and asked about under any other', async () => {
    const get = (query: string, headers = {}) => service.client().get(`/ext/hello/screens/plans.js${query}`, headers)
    const versioned = await get(`?v=${HASH.slice(0, 12)}`)
    assert.equal(versioned.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    for (const query of ['', '?v=old', '?v=']) {
      const answer = await get(query)
      assert.deepEqual([answer.status, answer.headers.get('cache-control')], [200, 'no-cache'])
    }
    const etag = versioned.headers.get('etag') ?? ''
    const statements: number[] = []
    for (let time = 0; time < 5; time += 1) {
      const watch = service.cms.database.watchStatements()
      const fresh = await get('', { 'if-none-match': etag })
      watch.stop()
      assert.deepEqual([fresh.status, fresh.text], [304, ''])
      statements.push(watch.texts.length)
    }
    // Background work may ask for something at the same moment.
    assert.equal(Math.min(...statements), 0)
  })

  test('a public page may call the plugin’s public routes, and only these', async () => {
    const answer = await service.client().get('/ext/hello/pages/approve')
    assert.equal(answer.text, FILES['screens/plans.html'])
    assert.match(
      answer.headers.get('content-security-policy') ?? '',
      new RegExp(`; connect-src ${PUBLIC_URL}/ext/hello/open ${PUBLIC_URL}/ext/hello/open/; `),
    )
    assert.match(answer.headers.get('content-security-policy') ?? '', /^sandbox allow-scripts allow-forms; /)
  })
})

describe('the look of screens', () => {
  test('is one stylesheet with the tokens of the admin, for frames without an origin', async () => {
    const answer = await service.client().get('/ext/ui.css')
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), 'text/css; charset=utf-8')
    assert.equal(answer.headers.get('access-control-allow-origin'), '*')
    assert.equal(answer.headers.get('cross-origin-resource-policy'), 'cross-origin')
    for (const part of ['--color-accent: light-dark(', '[data-theme="dark"]', 'color-scheme: light dark', 'button'])
      assert.ok(answer.text.includes(part), part)
    assert.doesNotMatch(answer.text, /@(theme|import|apply|source|custom-variant)/)
    const known = await service.client().get('/ext/ui.css', { 'if-none-match': answer.headers.get('etag') ?? '' })
    assert.equal(known.status, 304)
  })

  test('comes with its fonts, under names that never change what they hold', async () => {
    const { text } = await service.client().get('/ext/ui.css')
    const urls = [...text.matchAll(/url\((ui\/[^)]+)\)/g)].map(([, url]) => url ?? '')
    assert.ok(urls.some((url) => url.startsWith('ui/inter-latin-wght-normal-')))
    for (const url of urls) {
      const font = await service.client().send('HEAD', `/ext/${url}`)
      assert.equal(font.status, 200, url)
      assert.equal(font.headers.get('content-type'), 'font/woff2')
      assert.equal(font.headers.get('access-control-allow-origin'), '*')
      assert.match(font.headers.get('cache-control') ?? '', /immutable/)
    }
    refused(await service.client().get('/ext/ui/index.html'), '404 ROUTE_NOT_FOUND')
    refused(await service.client().get('/ext/ui/'), '404 ROUTE_NOT_FOUND')
  })
})

test('what plugins answer at is in no description of the API', async () => {
  const described = service.cms.routes.filter(({ path }) => path.startsWith('/ext'))
  assert.ok(described.every(({ path }) => path.startsWith('/ext/assistant/')))
})

/** Sends bytes as they are, and gives all that comes back until the connection ends. */
const exchange = async (head: string): Promise<string> => {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk)).on('error', () => socket.destroy())
  socket.write(`${head}Connection: close\r\n\r\n`)
  await new Promise((resolve) => socket.once('close', resolve))
  return Buffer.concat(chunks).toString()
}
