import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Metrics } from './metrics.ts'
import { reply } from './route.ts'
import { type Answer, type Call, call, exchange } from './testing/client.ts'
import { type Options, route, routes, type Service, startService } from './testing/service.ts'

let ran = 0
const READY = reply('{"from":"memory"}', { contentType: 'application/json; charset=utf-8', etag: '"ready"' })
const kept = route({
  auth: ['token', 'cookie'],
  access: 'read',
  method: 'GET',
  path: '/kept',
  summary: 'Answered from memory',
  output: 'raw',
  run: () => {
    ran += 1
    return READY
  },
})
const all: Options['routes'] = [...routes, kept]
const shortcut: Options['shortcut'] = ({ url }) => (url === '/kept' ? { route: kept, answer: () => READY } : null)

type Figure = [string, string, number]
const countedBy = (figures: Figure[]): Metrics =>
  ({ observe: (method: string, path: string, status: number) => void figures.push([method, path, status]) }) as never

describe('an answer that is in memory', () => {
  const figures: { short: Figure[]; long: Figure[] } = { short: [], long: [] }
  let short: Service
  let long: Service
  before(async () => {
    short = await startService({ routes: all, shortcut, metrics: countedBy(figures.short) })
    long = await startService({ routes: all, metrics: countedBy(figures.long) })
  })
  after(async () => {
    await short.stop()
    await long.stop()
  })

  const comparable = ({ status, headers, text }: Answer) => {
    const { date: _date, 'x-request-id': id, ...rest } = headers
    assert.match(String(id), /^[0-9a-f]{12}-[0-9a-z]{7}$/)
    return { status, headers: rest, text: text.replace(/"requestId":"[^"]*"/, '') }
  }
  const READER = { authorization: 'Bearer reader' }

  const cases: [string, Call, 'taken' | 'routed'][] = [
    ['is sent without its route', { path: '/kept', headers: READER }, 'taken'],
    ['is sent for HEAD', { method: 'HEAD', path: '/kept', headers: READER }, 'taken'],
    ['is 304 for who has it', { path: '/kept', headers: { ...READER, 'if-none-match': '"ready"' } }, 'taken'],
    ['is sent to who has another', { path: '/kept', headers: { ...READER, 'if-none-match': '"other"' } }, 'taken'],
    ['is refused to who may not have it', { path: '/kept' }, 'routed'],
    ['is refused to a wrong token', { path: '/kept', headers: { authorization: 'Bearer nobody' } }, 'routed'],
    ['goes its way with a cookie', { path: '/kept', headers: { cookie: 'session=reader' } }, 'routed'],
    [
      'goes its way with a body',
      { path: '/kept', headers: { ...READER, 'content-length': '2' }, body: '{}' },
      'routed',
    ],
    ['is not there for a write', { method: 'POST', path: '/kept', headers: READER }, 'routed'],
    ['is not there at another address', { path: '/kept?', headers: READER }, 'routed'],
  ]
  for (const [name, request, way] of cases)
    test(`${name}, the same as on the usual way`, async () => {
      const before = ran
      const answers = [await call(long.port, request), await call(short.port, request)].map(comparable)
      assert.deepEqual(answers[1], answers[0])
      const usual = answers[0]?.status === 200 || answers[0]?.status === 304 ? 1 : 0
      assert.equal(ran - before, way === 'taken' ? usual : 2 * usual)
    })

  test('counts by its route and status in the figures', async () => {
    assert.deepEqual(figures.short.toSorted(), figures.long.toSorted())
    assert.ok(figures.short.some((figure) => figure.join(' ') === 'GET /kept 304'))
  })

  test('two hosts are refused', async () => {
    const twice =
      'GET /kept HTTP/1.1\r\nhost: a\r\nhost: b\r\nauthorization: Bearer reader\r\nconnection: close\r\n\r\n'
    for (const { port } of [short, long]) assert.match((await exchange(port, twice)).text, /^HTTP\/1\.1 400 /)
  })
})
