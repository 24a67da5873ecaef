import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { freshDatabase, type TestDatabase } from '@stoa/tests/lib/cluster.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { type CmsInstance, createCms } from './cms-host.ts'

const SECRET = 'a secret of the tests, long enough for anyone'
const PASSWORD = 'seven lanterns in the harbour'

/** A host's server: what is not the CMS's is answered by `own`. */
const listen = async (
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ server: Server; url: string }> => {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return { server, url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` }
}

const stop = async (server: Server): Promise<void> => {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
}

describe('createCms', () => {
  let database: TestDatabase
  let cms: CmsInstance
  let host: { server: Server; url: string }
  let token = ''
  const files = mkdtempSync(join(tmpdir(), 'stoa-host-'))
  const env = () => ({
    NODE_ENV: 'test',
    SECRET,
    CMS_DATABASE_URL: database.url,
    STORAGE_LOCAL_DIR: files,
    LOG_LEVEL: 'silent',
  })
  const base = 'http://localhost:4300'

  const send = async (method: string, path: string, body?: unknown): Promise<Response> =>
    cms.fetch(
      new Request(base + path, {
        method,
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    )

  before(async () => {
    database = await freshDatabase()
    cms = await createCms({ env: env(), adminBase: '/studio' })
    host = await listen((request, response) =>
      cms.handler(request, response, (error) => {
        response.statusCode = error ? 500 : 200
        response.end(error instanceof Error ? error.message : 'the page of the host')
      }),
    )
  })
  after(async () => {
    await stop(host.server)
    await cms.close()
    await database.drop()
    rmSync(files, { recursive: true, force: true })
  })

  test('migrates an empty database and answers through fetch', async () => {
    const status = await send('GET', '/api/auth/status')
    assert.deepEqual(await status.json(), { setup: false, resetByMail: false })
    const claimed = await send('POST', '/api/auth/setup', { email: 'o@example.test', name: 'O', password: PASSWORD })
    assert.equal(claimed.status, 201)
    assert.match(claimed.headers.get('set-cookie') ?? '', /^cms_session=/)
    const { token: given }: { token: string } = await claimed.json()
    token = given
    assert.equal((await send('GET', '/api/auth/me')).status, 200)
  })

  test('answers its own paths on a server of the host and leaves the others to it', async () => {
    for (const path of ['/api/auth/status', '/healthz', '/readyz', '/openapi.json'])
      assert.equal((await fetch(host.url + path)).status, 200, path)
    for (const path of ['/', '/apis', '/contents/x', '/admin', '/studios', '/social', '/Api/auth/status', '//api/x'])
      assert.equal(await (await fetch(host.url + path)).text(), 'the page of the host', path)
    const unknown = await fetch(`${host.url}/api/nothing?x=/studio`)
    assert.equal(unknown.status, 404)
    assert.equal((await unknown.json()).code, 'ROUTE_NOT_FOUND')
  })

  test('without next, what is not its own is a 404', async () => {
    const alone = await listen((request, response) => cms.handler(request, response))
    const answer = await fetch(`${alone.url}/`)
    assert.equal(answer.status, 404)
    assert.equal((await answer.json()).code, 'ROUTE_NOT_FOUND')
    assert.equal((await cms.fetch(new Request(`${base}/studios`))).status, 404)
    await stop(alone.server)
  })

  test('the admin screens are below adminBase', async () => {
    const page = await cms.fetch(new Request(`${base}/studio/`))
    // The repository's UI may not be built: then there is no page, and never one of the host.
    if (page.status === 200) assert.match(await page.text(), /<base|<script|<div/)
    else assert.equal(page.status, 404)
    assert.equal((await fetch(`${host.url}/studio`, { redirect: 'manual' })).headers.get('location'), '/studio/')
  })

  test('HEAD has the headers of GET and no body', async () => {
    const head = await cms.fetch(new Request(`${base}/openapi.json`, { method: 'HEAD' }))
    const get = await cms.fetch(new Request(`${base}/openapi.json`))
    assert.equal(head.headers.get('etag'), get.headers.get('etag'))
    assert.equal(head.body, null)
    assert.ok((await get.text()).length > 50_000)
    const fresh = await cms.fetch(
      new Request(`${base}/openapi.json`, { headers: { 'if-none-match': get.headers.get('etag') ?? '' } }),
    )
    assert.equal(fresh.status, 304)
    assert.equal(fresh.body, null)
  })

  test('a body that is streamed into fetch is refused as soon as it is too large', async () => {
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 65_536
        controller.enqueue(new Uint8Array(65_536).fill(97))
      },
    })
    // The types of the browser do not know `duplex` yet, without which no stream can be sent.
    const streamed: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half' }
    const headers = { 'content-type': 'application/json' }
    const answer = await cms.fetch(new Request(`${base}/api/auth/login`, { ...streamed, headers }))
    assert.equal(answer.status, 413)
    assert.ok(sent < 8 * 1_048_576, `${sent} bytes were taken`)
  })

  test('large files stream through fetch both ways, and a reader who leaves early holds nothing', async () => {
    const bytes = Buffer.concat([
      Buffer.from('%PDF-1.7\n'),
      Buffer.alloc(3 * 1_048_576, 'tide '),
      Buffer.from('\n%%EOF\n'),
    ])
    const body = new FormData()
    body.append('file', new Blob([bytes], { type: 'application/pdf' }), 'tides.pdf')
    const headers = { authorization: `Bearer ${token}` }
    const stored = await cms.fetch(new Request(`${base}/api/media`, { method: 'POST', headers, body }))
    assert.equal(stored.status, 201, await stored.clone().text())
    const { url }: { url: string } = await stored.json()
    const file = await cms.fetch(new Request(url))
    assert.equal(file.headers.get('content-length'), String(bytes.length))
    assert.ok(bytes.equals(Buffer.from(await file.arrayBuffer())))
    const left = await cms.fetch(new Request(url))
    const reader = left.body?.getReader()
    assert.equal((await reader?.read())?.done, false)
    await reader?.cancel()
  })

  test('an aborted fetch ends with the reason', async () => {
    const reason = new Error('the visitor left')
    await assert.rejects(cms.fetch(new Request(`${base}/healthz`, { signal: AbortSignal.abort(reason) })), reason)
    const controller = new AbortController()
    const pending = cms.fetch(new Request(`${base}/readyz`, { signal: controller.signal }))
    controller.abort(reason)
    await assert.rejects(pending, reason)
    assert.equal((await cms.fetch(new Request(`${base}/readyz`))).status, 200)
  })

  test('a hundred requests at once are answered apart', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => cms.fetch(new Request(`${base}/api/nothing-${index}`))),
    )
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([404]))
    assert.equal(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size, 100)
    await Promise.all(answers.map((answer) => answer.text()))
  })

  test('a body that the host has read already is explained instead of awaited', async () => {
    const greedy = await listen((request, response) => {
      request.resume()
      request.once('end', () => cms.handler(request, response))
    })
    const answer = await fetch(`${greedy.url}/api/auth/login`, { method: 'POST', body: '{}' })
    assert.equal(answer.status, 500)
    assert.match((await answer.json()).error, /Put cms.handler before body parsers/)
    await stop(greedy.server)
  })

  test('contentVersion changes with content, also of another process, and not with reading', async () => {
    const second = await createCms({ env: env(), workers: false })
    try {
      const [own, other] = [cms.contentVersion(), second.contentVersion()]
      assert.equal((await send('GET', '/api/settings')).status, 200)
      assert.equal(cms.contentVersion(), own)
      assert.equal((await send('PUT', '/api/settings', { title: 'Harbour News' })).status, 200)
      assert.notEqual(cms.contentVersion(), own)
      await until(() => second.contentVersion() !== other, 'the other process is notified')
    } finally {
      await second.close()
    }
  })

  test('design gives what people set, at once after a save', async () => {
    const property = { key: 'main', label: 'Main', type: 'color', css: '--main', default: '#123456' } as const
    const design = { surfaces: [{ id: 'brand', label: 'Brand', properties: [property] }] }
    const styled = await createCms({ env: env(), design })
    try {
      assert.deepEqual(styled.design(), { surfaces: [{ id: 'brand', values: { main: '#123456' } }], css: '' })
      const version = styled.contentVersion()
      const answer = await styled.fetch(
        new Request(`${base}/api/design/brand`, {
          method: 'PUT',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
          body: JSON.stringify({ set: { main: '#ff0000' } }),
        }),
      )
      assert.equal(answer.status, 200, await answer.text())
      assert.deepEqual(styled.design(), {
        surfaces: [{ id: 'brand', values: { main: '#ff0000' } }],
        css: ':root {\n  --main: #ff0000;\n}\n',
      })
      assert.notEqual(styled.contentVersion(), version)
    } finally {
      await styled.close()
    }
  })

  test('upgrade takes sockets of the CMS, leaves others untouched, and close ends them', async () => {
    const { key }: { key: string } = await (
      await send('POST', '/api/delivery-keys', { name: 'Site', types: ['*'] })
    ).json()
    const own = await createCms({ env: env(), workers: false })
    const taken: boolean[] = []
    const { server, url } = await listen((request, response) => own.handler(request, response))
    server.on('upgrade', (request, socket, head) => {
      taken.push(own.upgrade(request, socket, head))
      if (!taken.at(-1)) socket.end('HTTP/1.1 418 Ours\r\n\r\n')
    })
    const asked = new Request(`${base}/realtime/delivery/ticket`, { method: 'POST', headers: { 'x-api-key': key } })
    const { ticket }: { ticket: string } = await (await own.fetch(asked)).json()
    const open = (path: string) => new WebSocket(url.replace('http', 'ws') + path)
    const socket = open(`/realtime?ticket=${ticket}`)
    const [message] = await once(socket, 'message')
    assert.equal(JSON.parse(message.data).event, 'ready')
    await once(open('/chat'), 'error')
    assert.deepEqual(taken, [true, false])
    const closed = once(socket, 'close')
    await own.close()
    assert.equal((await closed)[0].code, 1001)
    await stop(server)
  })

  test('close answers what is under way, can be repeated, and leaves no way in', async () => {
    const short = await createCms({ env: env(), workers: false })
    const running = short.fetch(new Request(`${base}/readyz`))
    const closing = short.close()
    assert.equal(short.close(), closing)
    assert.deepEqual(await (await running).json(), { status: 'ready' })
    await closing
    assert.equal((await short.fetch(new Request(`${base}/readyz`))).status, 503)
  })

  test('wrong options are refused before anything starts, each with its place and what to do', async () => {
    const wrong = {
      adminBase: '/api/admin',
      visual: { article: { sections: [{ id: 'hero', label: 'Hero', selector: 'section:nth-child(2)' }] } },
      website: { previewUrl: 'home', parts: [{ id: 'nav', label: 'Nav', selector: 'nav', source: { kind: 'page' } }] },
      port: 80,
    }
    // A host in JavaScript has no type checker.
    await assert.rejects(Reflect.apply(createCms, undefined, [wrong]), (error: Error) => {
      assert.equal(error.name, 'CmsOptionsError')
      for (const line of [
        'adminBase: overlaps /api, which the CMS uses itself; choose another path',
        'visual.article.sections[0].selector: depends on the position',
        'website.previewUrl: must be a path on the website',
        'website.parts[0].source.kind: must be one of menu, entry, settings',
        'port: is unknown',
      ])
        assert.ok(error.message.includes(`  ${line}`), `${line}\n${error.message}`)
      return true
    })
    for (const adminBase of ['', '/', 'admin', '/admin/', '/a b', '/social', '/../x'])
      await assert.rejects(createCms({ adminBase }), /adminBase: /, adminBase)
    await assert.rejects(createCms({ env: { SECRET } }), /CMS_DATABASE_URL/)
  })
})
