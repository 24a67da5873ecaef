import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { apiSurface, baseHeaders, pagePolicy } from './headers.ts'
import { type Answer, type Call, call } from './testing/client.ts'
import { type Service, startService } from './testing/service.ts'

const answers: Record<string, Call & { status: number }> = {
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
    for (const [name, { status, ...asked }] of Object.entries(answers))
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
