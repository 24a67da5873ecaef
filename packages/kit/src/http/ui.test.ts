import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { createTestClock } from '../clock.ts'
import { pagePolicy } from './headers.ts'
import { createHttp, stopHttp } from './server.ts'
import { call, exchange } from './testing/client.ts'
import { defaults } from './testing/service.ts'
import { serveUi, type WebUi } from './ui.ts'

const SCRIPT = `console.log("${'hello '.repeat(500)}")`
const PAGE = `<!doctype html><base href="__APP_BASE__"><style nonce="__CSP_NONCE__"></style><meta name="csp-nonce" content="__CSP_NONCE__">`

const roots: string[] = []
after(() => {
  for (const root of roots) rmSync(root, { recursive: true })
})

const build = (): string => {
  const root = mkdtempSync(join(tmpdir(), 'ui-'))
  roots.push(root)
  const folder = join(root, 'dist')
  mkdirSync(join(folder, 'assets'), { recursive: true })
  writeFileSync(join(root, 'secret.txt'), 'outside')
  symlinkSync(join(root, 'secret.txt'), join(folder, 'link.txt'))
  const files: Record<string, string> = {
    'index.html': PAGE,
    'favicon.svg': '<svg/>',
    'apple-touch-icon.png': 'png',
    'robots.txt': 'User-agent: *',
    'other.html': 'another document',
    'assets/index-Ab12_-9z.js': SCRIPT,
    'assets/index-Ab12_-9z.css': 'a{}',
    'assets/plain.js': SCRIPT,
    'assets/font-12345678.woff2': 'font',
    'assets/data-12345678.bin': 'bin',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

const serve = async (more: Partial<WebUi>) => {
  const app = createHttp(defaults([], createTestClock(new Date())))
  const publicUrl = 'https://things.example'
  serveUi(app, { folder: build(), base: '/', publicUrl, policy: pagePolicy, reserved: ['api', 'content'], ...more })
  await app.listen({ port: 0, host: '127.0.0.1' })
  app.server.unref()
  const address = app.server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return { port: address.port, stop: () => stopHttp(app, 500) }
}

describe('a UI at the root', () => {
  let ui: Awaited<ReturnType<typeof serve>>
  before(async () => {
    ui = await serve({})
  })
  after(() => ui.stop())
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    call(ui.port, { method, path, headers })
  const nonceOf = (text: string) => /nonce="([^"]+)"/.exec(text)?.[1] ?? ''

  test('the page is never kept, and carries a new nonce in its header and its text each time', async () => {
    const seen = new Set<string>()
    for (const path of ['/', '/?x=1', '/login', '/domains/example.com', '/a/b/c', '/mail/ünïcode'.normalize()]) {
      const { status, headers, text } = await get(encodeURI(path))
      assert.equal(status, 200, path)
      assert.equal(headers['content-type'], 'text/html; charset=utf-8')
      assert.equal(headers['cache-control'], 'no-store')
      const nonce = nonceOf(text)
      assert.ok(Buffer.from(nonce, 'base64').length >= 16)
      assert.equal(text.split(nonce).length, 3)
      assert.equal(headers['content-security-policy'], pagePolicy(nonce))
      assert.ok(text.includes('<base href="/">'))
      seen.add(nonce)
    }
    assert.equal(seen.size, 6)
  })

  test('the page and its files carry the common headers', async () => {
    for (const path of ['/', '/assets/index-Ab12_-9z.js', '/favicon.svg']) {
      const { headers } = await get(path)
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.equal(headers['strict-transport-security'], 'max-age=63072000; includeSubDomains')
      assert.equal(headers['referrer-policy'], 'same-origin')
      assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/)
    }
  })

  test('only names with a hash of the content are kept for ever', async () => {
    const kept = async (path: string) => (await get(path)).headers['cache-control']
    for (const path of ['/assets/index-Ab12_-9z.js', '/assets/index-Ab12_-9z.css', '/assets/font-12345678.woff2'])
      assert.equal(await kept(path), 'public, max-age=31536000, immutable', path)
    for (const path of ['/favicon.svg', '/apple-touch-icon.png', '/robots.txt', '/assets/plain.js'])
      assert.equal(await kept(path), 'no-cache', path)
  })

  test('content types are sent, and unknown ones are not guessed', async () => {
    const type = async (path: string) => (await get(path)).headers['content-type']
    assert.equal(await type('/assets/index-Ab12_-9z.js'), 'text/javascript; charset=utf-8')
    assert.equal(await type('/assets/index-Ab12_-9z.css'), 'text/css; charset=utf-8')
    assert.equal(await type('/favicon.svg'), 'image/svg+xml')
    assert.equal(await type('/assets/data-12345678.bin'), 'application/octet-stream')
  })

  test('text is packed for those who can unpack it', async () => {
    const raw = async (accepted: string) => {
      const head = `GET /assets/index-Ab12_-9z.js HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAccept-Encoding: ${accepted}\r\n\r\n`
      const { text } = await exchange(ui.port, head)
      const [top = '', ...rest] = text.split('\r\n\r\n')
      return {
        encoding: /^content-encoding: (.*)$/im.exec(top)?.[1],
        etag: /^etag: (.*)$/im.exec(top)?.[1],
        vary: /^vary: (.*)$/im.exec(top)?.[1],
        bytes: Buffer.from(rest.join('\r\n\r\n'), 'latin1'),
      }
    }
    const [br, gzip, plain] = [await raw('gzip, deflate, br'), await raw('gzip;q=0.5, br;q=0'), await raw('identity')]
    assert.deepEqual([br.encoding, gzip.encoding, plain.encoding], ['br', 'gzip', undefined])
    assert.equal(brotliDecompressSync(br.bytes).toString(), SCRIPT)
    assert.equal(gunzipSync(gzip.bytes).toString(), SCRIPT)
    assert.equal(plain.bytes.toString(), SCRIPT)
    assert.equal(new Set([br.etag, gzip.etag, plain.etag]).size, 3)
    for (const { vary } of [br, gzip, plain]) assert.equal(vary, 'Accept-Encoding')
    for (const accepted of ['', '*', 'brotli', 'x-br', 'br;q=0.000'])
      assert.equal((await raw(accepted)).encoding, undefined, accepted)
  })

  test('a browser that has the file gets 304', async () => {
    for (const accepted of ['br', 'identity']) {
      const whole = await get('/assets/index-Ab12_-9z.js', { 'accept-encoding': accepted })
      const etag = String(whole.headers.etag)
      const again = await get('/assets/index-Ab12_-9z.js', { 'accept-encoding': accepted, 'if-none-match': etag })
      assert.deepEqual([again.status, again.text, again.headers.etag], [304, '', etag])
      assert.equal(again.headers['cache-control'], whole.headers['cache-control'])
    }
  })

  test('HEAD has no body', async () => {
    for (const path of ['/', '/favicon.svg']) {
      const head = await get(path, {}, 'HEAD')
      assert.deepEqual([head.status, head.text], [200, ''])
    }
  })

  test('a missing file is 404, not the page', async () => {
    for (const path of [
      '/assets/gone-12345678.js',
      '/gone.css',
      '/gone.PNG',
      '/index.html',
      '/other.html',
      '/sitemap.xml',
    ])
      assert.equal((await get(path)).status, 404, path)
  })

  test('what belongs to the API stays with it', async () => {
    for (const path of [
      '/api',
      '/api/',
      '/api/unknown',
      '/api/deep/unknown',
      '/content/x',
      '/api%2Funknown',
      '/%61pi/unknown',
    ]) {
      const answer = await get(path)
      assert.deepEqual([answer.status, answer.json.code], [404, 'route_not_found'], path)
    }
    assert.equal((await get('/apis')).status, 200)
    assert.equal((await get('/', {}, 'POST')).status, 404)
  })

  test('no path leads out of the folder', async () => {
    const paths = [
      '/../secret.txt',
      '/..%2fsecret.txt',
      '/..%2f..%2fetc/passwd',
      '/%2e%2e/secret.txt',
      '/assets/../../secret.txt',
      '/..%5csecret.txt',
      '/.%2e/%2e./etc/passwd',
      '//etc/passwd',
      '/assets/%00',
      '/%00/etc/passwd',
      '/secret.txt%00.js',
      '/link.txt',
      '/....//secret.txt',
      '/%252e%252e/secret',
      '/..;/secret',
      '/dist',
      '/assets',
      '/assets/',
    ]
    for (const path of paths) {
      const { text } = await exchange(ui.port, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
      assert.match(text, /^HTTP\/1\.1 (?:404|200) /, path)
      assert.doesNotMatch(text, /outside|root:/, path)
      if (/\.\.%|%2e|\.\.\/|%00|%5c/.test(path.replace('%252e', ''))) assert.match(text, /^HTTP\/1\.1 404 /, path)
    }
  })
})

describe('a UI below a path', () => {
  let ui: Awaited<ReturnType<typeof serve>>
  before(async () => {
    ui = await serve({ base: '/admin/', reserved: [] })
  })
  after(() => ui.stop())
  const get = (path: string) => call(ui.port, { path })

  test('lives there and nowhere else', async () => {
    assert.ok((await get('/admin/')).text.includes('<base href="/admin/">'))
    assert.equal((await get('/admin/content/new?x=1')).status, 200)
    assert.equal((await get('/%61dmin/assets/index-Ab12_-9z.js')).text, SCRIPT)
    assert.equal((await get('/admin/assets/index-Ab12_-9z.js')).text, SCRIPT)
    for (const path of ['/', '/assets/index-Ab12_-9z.js', '/administration', '/adminx/'])
      assert.equal((await get(path)).status, 404, path)
  })

  test('its bare path leads to it, with the query', async () => {
    const answer = await get('/admin?next=%2Fa')
    assert.deepEqual([answer.status, answer.headers.location], [308, '/admin/?next=%2Fa'])
    assert.equal(answer.headers['x-content-type-options'], 'nosniff')
    assert.equal((await get('/admin')).headers.location, '/admin/')
  })

  test('the API beside it is not touched', async () => {
    assert.equal((await get('/api/who')).status, 200)
    assert.equal((await get('/api/nothing')).json.code, 'route_not_found')
  })
})

test('a service whose UI was not built answers 404', async () => {
  const ui = await serve({ folder: join(tmpdir(), 'no-such-folder-here') })
  assert.equal((await call(ui.port, { path: '/' })).status, 404)
  assert.equal((await call(ui.port, { path: '/api/who' })).status, 200)
  await ui.stop()
})

test('a second document has a policy and a nonce of its own; a document that is not named is none', async () => {
  const policy = (nonce: string) => `script-src 'nonce-${nonce}'; frame-ancestors 'self'`
  const ui = await serve({ base: '/admin', documents: { 'other.html': { policy }, 'gone.html': { policy } } })
  try {
    const get = (path: string) => call(ui.port, { method: 'GET', path, headers: {} })
    const page = await get('/admin/other.html')
    assert.equal(page.status, 200)
    assert.equal(page.text, 'another document')
    assert.match(
      String(page.headers['content-security-policy']),
      /^script-src 'nonce-[^']{20,}'; frame-ancestors 'self'$/,
    )
    assert.equal(page.headers['cache-control'], 'no-store')
    assert.match(String((await get('/admin/')).headers['content-security-policy']), /frame-ancestors 'none'/)
    for (const path of ['/admin/gone.html', '/admin/index.html', '/admin/constructor.html', '/admin/x/other.html'])
      assert.equal((await get(path)).status, 404, path)
  } finally {
    await ui.stop()
  }
})

test('a second document answers for the screens of its path segment, and for no others', async () => {
  const policy = () => "frame-ancestors 'self'"
  const documents = { 'other.html': { policy, segment: 'other' }, 'gone.html': { policy, segment: 'gone' } }
  const ui = await serve({ base: '/admin', documents })
  try {
    const get = (path: string) => call(ui.port, { method: 'GET', path, headers: {} })
    for (const path of ['/admin/other', '/admin/other/', '/admin/other/a/b?c=d']) {
      const page = await get(path)
      assert.deepEqual([page.status, page.text], [200, 'another document'], path)
      assert.equal(page.headers['content-security-policy'], "frame-ancestors 'self'")
    }
    for (const path of ['/admin/others', '/admin/x/other', '/admin/gone/x']) {
      const page = await get(path)
      assert.notEqual(page.text, 'another document', path)
      assert.match(String(page.headers['content-security-policy']), /frame-ancestors 'none'/, path)
    }
    assert.equal((await get('/admin/other/missing.js')).status, 404)
  } finally {
    await ui.stop()
  }
})
