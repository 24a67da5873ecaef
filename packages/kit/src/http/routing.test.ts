import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { z } from 'zod'
import { createTestClock } from '../clock.ts'
import { PUBLIC, type Route } from './route.ts'
import { createHttp } from './server.ts'
import { call, writeJson } from './testing/client.ts'
import { type Access, type Context, defaults, type Kind, route, type Service, startService } from './testing/service.ts'

const start = (routes: readonly Route<Context, Kind, Access>[]) =>
  createHttp({ ...defaults([], createTestClock(new Date())), routes })
const plain = { summary: 'A thing', access: 'all', method: 'GET', path: '/api/x', output: 'empty' } as const

describe('a declaration that is not whole does not start', () => {
  const declared = route({ ...plain, auth: ['token'], run: () => undefined })

  test('a whole one starts', () => {
    assert.doesNotThrow(() => start([declared]))
  })

  test('no credential kind at all', () => {
    assert.throws(() => start([{ ...declared, auth: [] }]), /GET \/api\/x declares no credential/)
    assert.throws(() => start([{ ...declared, auth: JSON.parse('null') }]), /declares no credential/)
  })

  test('a surface that nobody described', () => {
    for (const surface of ['pages', 'constructor', '__proto__'])
      assert.throws(() => start([{ ...declared, surface }]), /names the unknown surface/)
  })

  test('the same method and path twice', () => {
    assert.throws(() => start([declared, declared]), /already declared/)
  })
})

describe('paths and verbs', () => {
  let service: Service
  const headers = { authorization: 'Bearer writer' }
  const status = async (method: string, path: string) => (await call(service.port, { method, path, headers })).status
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  test('an unknown path is 404 for every verb, without a credential, whatever the body is', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
      assert.equal((await call(service.port, { method, path: '/api/nothing' })).status, 404, method)
    for (const contentType of ['text/plain', 'multipart/form-data; boundary=x', ';;;', ''])
      assert.equal(
        (await writeJson(service.port, '/api/nothing', 'x', { headers: { 'content-type': contentType } })).status,
        404,
      )
    const large = await writeJson(service.port, '/api/nothing', Buffer.alloc(3 * 1024 * 1024))
    assert.equal(large.status, 404)
  })

  test('a wrong verb is 405 with exactly the verbs that exist, before the credential', async () => {
    const allowed: Record<string, string> = {
      '/api/things': 'GET, HEAD, POST',
      '/api/things/1': 'GET, HEAD, PUT, DELETE',
      '/api/things/check': 'POST',
      '/healthz': 'GET, HEAD',
      '/readyz': 'GET, HEAD',
    }
    for (const [path, allow] of Object.entries(allowed))
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']) {
        if (allow.split(', ').includes(method)) continue
        const answer = await call(service.port, { method, path })
        assert.equal(answer.status, 405, `${method} ${path}`)
        assert.equal(answer.headers.allow, allow)
        assert.equal(method === 'HEAD' ? '' : answer.json.code, method === 'HEAD' ? '' : 'method_not_allowed')
      }
  })

  test('a static path is never taken for a parameter of another route', async () => {
    assert.equal(await status('GET', '/api/things/check'), 405)
    assert.equal(await status('DELETE', '/api/things/check'), 405)
    assert.equal(await status('GET', '/api/things/checks'), 200)
  })

  test('HEAD answers as GET does, without the body', async () => {
    const get = await call(service.port, { path: '/api/things/1', headers })
    const head = await call(service.port, { method: 'HEAD', path: '/api/things/1', headers })
    assert.equal(head.status, 200)
    assert.equal(head.text, '')
    assert.equal(head.headers['content-length'], String(Buffer.byteLength(get.text)))
    assert.equal(head.headers['content-security-policy'], get.headers['content-security-policy'])
    assert.equal((await call(service.port, { method: 'HEAD', path: '/api/things/1' })).status, 401)
  })

  test('a header cannot turn a read into a write', async () => {
    for (const name of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
      const answer = await call(service.port, { path: '/api/things/1', headers: { ...headers, [name]: 'DELETE' } })
      assert.equal(answer.status, 200)
    }
    assert.equal(await status('GET', '/api/things/1?_method=DELETE'), 200)
  })

  test('another spelling of a path is another path', async () => {
    const spellings = ['/API/things', '/api/Things', '/api/things/', '/api//things', '//api/things', '/api/things//']
    for (const path of [
      ...spellings,
      '/api/./things',
      '/api/x/../things',
      '/api/things;x=1',
      '/api/things/1/',
      '/api%2fthings',
    ])
      assert.equal(await status('GET', path), 404, path)
    assert.equal(await status('PATCH', '/api/things/'), 404)
  })

  test('a path that cannot be decoded, or is too long, names nothing', async () => {
    for (const path of [
      '/api/things/%',
      '/api/things/%zz',
      '/api/things/%ff',
      '/api/things/%c0%ae',
      '/%',
      '/api/%e0%a4%a',
    ])
      for (const method of ['GET', 'POST']) {
        const answer = await call(service.port, { method, path, headers })
        assert.deepEqual([answer.status, answer.json.code], [404, 'route_not_found'], path)
        assert.equal(answer.headers['x-content-type-options'], 'nosniff')
      }
    assert.equal(await status('GET', `/api/things/${'x'.repeat(500)}`), 200)
    assert.equal(await status('GET', `/api/things/${'x'.repeat(501)}`), 404)
    assert.equal(await status('GET', `/api/things/${'x'.repeat(15_000)}`), 404)
    assert.equal(await status('GET', `/api/things/${'%41'.repeat(4_000)}`), 404)
  })

  test('an encoded parameter is decoded once', async () => {
    const id = async (path: string) => (await call(service.port, { path, headers })).json.id
    assert.equal(await id('/api/things/%2e%2e'), '..')
    assert.equal(await id('/api/things/%252e'), '%2e')
    assert.equal(await id('/api/things/a%2Fb'), 'a/b')
    assert.equal(await id('/api/things/%00'), '\u0000')
  })

  test('verbs that nobody uses are refused, not failed', async () => {
    for (const method of ['PROPFIND', 'MKCOL', 'LINK', 'PURGE', 'M-SEARCH', 'QUERY'])
      assert.equal(await status(method, '/api/things'), 404, method)
    assert.equal(await status('OPTIONS', '*'), 404)
  })

  test('the address form of a proxy request is matched by its path', async () => {
    assert.equal(await status('GET', 'http://other.example/api/things'), 200)
    assert.equal(await status('GET', 'http://other.example/nothing'), 404)
  })
})

test('a wildcard path is not matched by nothing', async () => {
  const service = await startService({
    routes: [
      route({
        ...plain,
        path: '/files/*',
        auth: PUBLIC,
        params: z.object({ '*': z.string() }),
        output: z.object({ path: z.string() }),
        run: (_ctx, { params }) => ({ path: params['*'] }),
      }),
    ],
  })
  assert.deepEqual((await call(service.port, { path: '/files/a/b' })).json, { path: 'a/b' })
  assert.equal((await call(service.port, { path: '/files/' })).status, 404)
  assert.equal((await call(service.port, { method: 'POST', path: '/files/a' })).status, 405)
  await service.stop()
})
