import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runs } from '@stoa/tests/lib/runs.ts'
import { apiSurface } from './headers.ts'
import { call, exchange, statusesOf } from './testing/client.ts'
import { PUBLIC_URL, routes, type Service, startService } from './testing/service.ts'

const BATCHES = runs(32, 500)
const PER_BATCH = 40
const LANES = 16
const LAST = Buffer.from('GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')

/** A small seeded generator, so that a failure can be run again (Tommy Ettinger's mulberry32). */
const random = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
}

const METHODS = 'GET GET GET POST POST POST PUT PUT DELETE PATCH HEAD OPTIONS TRACE PROPFIND QUERY'.split(' ')
const PATHS =
  '/api/things /api/things /api/things/1 /api/things/missing /api/things/check /api/who /api/sign-in /healthz /none'.split(
    ' ',
  )
const PIECES = [
  '%',
  '%00',
  '%2e',
  '%2f',
  '//',
  '/..',
  '?',
  '?a=b',
  '&search=x',
  '?page=1e9',
  ';',
  '#',
  ':',
  '*',
  '%ff',
  '%F0%9F%98%80',
  '__proto__',
  'constructor',
  '[]',
  '{}',
  "'",
  '"',
  '\\',
  '|',
  '~',
  '`',
  '=',
  '@',
]
const HEADERS =
  'authorization cookie content-type origin sec-fetch-site x-forwarded-for if-none-match accept accept-encoding accept-version range x-http-method-override te forwarded user-agent referer __proto__ constructor x-request-id'.split(
    ' ',
  )
const VALUES = [
  'Bearer writer',
  'Bearer reader',
  'Bearer ',
  'session=writer',
  'session=reader; session=',
  '=;=;;',
  'application/json',
  'application/json; charset=utf-8',
  'text/plain',
  ';',
  '',
  '*',
  '"v1"',
  'W/"x",',
  'null',
  'http://evil.example',
  PUBLIC_URL,
  'same-origin',
  'cross-site',
  '1.2.3.4',
  '::1',
  '[',
  'bytes=0-',
  'gzip;q=,br',
  '\u00ff\u00fe',
  'a'.repeat(3_000),
  '%24{jndi:ldap://x}',
  "' or 1=1--",
  '../../etc/passwd',
  '1.x',
]
const BODIES = [
  '',
  '{}',
  '[]',
  'null',
  '1',
  '"x"',
  '{"name":"a"}',
  '{"name":1}',
  '{"name":"a","name":"b"}',
  '{"__proto__":{}}',
  '{"name":"\\u0000"}',
  '{"a":',
  '[[[[[',
  '['.repeat(100),
  '{"tags":[1,2,3]}',
  '\u0000',
  '\ufeff{}',
  'name=a&b=c',
  '\xff\xfe',
  '{"name":"é"}',
  `{"name":"${'x'.repeat(5_000)}"}`,
]

const oneRequest = (next: () => number): Buffer => {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T
  const chance = (part: number) => next() < part
  let path = pick(PATHS)
  while (chance(0.15)) path += pick(PIECES)
  const lines = ['Host: a']
  if (chance(0.6)) lines.push('authorization: Bearer writer')
  if (chance(0.6)) lines.push('content-type: application/json')
  while (chance(0.35)) lines.push(`${pick(HEADERS)}: ${pick(VALUES)}`)
  // A body on an unknown path ends the connection, which is slow to try again and again.
  const body = Buffer.from(
    chance(PATHS.includes(path) ? 0.5 : 0.05) ? pick(BODIES) : '',
    chance(0.5) ? 'utf8' : 'latin1',
  )
  const isChunked = chance(body.length > 0 ? 0.3 : 0.02)
  // Rarely a lie: what follows is then read as something else, and ends the connection.
  const length = chance(0.001) ? Math.floor(next() * 100) : body.length
  lines.push(isChunked ? 'transfer-encoding: chunked' : `content-length: ${length}`)
  const chunks = Buffer.concat([
    Buffer.from(`${body.length.toString(16)}\r\n`),
    body,
    Buffer.from(body.length ? '\r\n0\r\n\r\n' : '\r\n'),
  ])
  const head = Buffer.from(`${pick(METHODS)} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  const bytes = Buffer.concat([head, isChunked ? chunks : body])
  if (chance(0.004)) bytes[Math.floor(next() * bytes.length)] = Math.floor(next() * 256)
  return bytes
}

let service: Service
const { stackTraceLimit } = Error
before(async () => {
  // Thousands of refusals: their stacks would take most of the time.
  Error.stackTraceLimit = 0
  const surface = {
    ...apiSurface(PUBLIC_URL),
    cors: { origins: new Set([PUBLIC_URL]), methods: 'GET', allowHeaders: 'x' },
  }
  service = await startService({
    routes: routes.filter(({ path }) => !path.startsWith('/api/broken')),
    surfaces: { api: surface },
    timeouts: { body: 400, headers: 400, request: 800, check: 50 },
  })
})
after(() => {
  Error.stackTraceLimit = stackTraceLimit
  return service.stop()
})

test(`${BATCHES * PER_BATCH} random requests: no failure, no exit, every connection ends`, async () => {
  const seen = new Map<number, number>()
  const run = async (batch: number) => {
    const next = random(batch)
    let left = Array.from({ length: PER_BATCH }, () => oneRequest(next))
    while (left.length > 0) {
      const { text, closed } = await exchange(service.port, Buffer.concat([...left, LAST]), 10_000)
      assert.equal(closed, true, `batch ${batch} was left open`)
      const statuses = statusesOf(text)
      for (const status of statuses) {
        assert.ok(status < 500, `batch ${batch}: ${status}`)
        seen.set(status, (seen.get(status) ?? 0) + 1)
      }
      // Some answers end the connection: the rest goes over the next one.
      left = left.slice(Math.max(1, statuses.length))
    }
  }
  const lane = async (first: number) => {
    for (let batch = first; batch < BATCHES; batch += LANES) await run(batch)
  }
  await Promise.all(Array.from({ length: LANES }, (_, first) => lane(first)))

  // The requests reach deep enough for the test to mean something.
  const answered = [...seen.values()].reduce((sum, count) => sum + count, 0)
  assert.ok(answered > BATCHES * PER_BATCH * 0.9, `${answered} answers`)
  for (const status of [200, 201, 204, 400, 401, 403, 404, 405, 415])
    assert.ok((seen.get(status) ?? 0) > BATCHES / 50, `${status}: ${seen.get(status)}`)
  assert.deepEqual(service.logged, [])
  assert.equal((await call(service.port, { path: '/api/who' })).status, 200)
})
