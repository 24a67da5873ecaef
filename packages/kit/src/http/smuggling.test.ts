import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { call, exchange, listen, open, statusesOf } from './testing/client.ts'
import { type Service, startService } from './testing/service.ts'

const GET = 'GET /api/who HTTP/1.1\r\nHost: a\r\n'
const POST = 'POST /api/things/check HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n'
/** What a hidden request would look like if it were taken for one of its own. */
const HIDDEN = 'GET /api/hidden HTTP/1.1\r\nHost: a\r\n\r\n'

describe('requests that two parties could read differently', () => {
  let service: Service
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const refused: Record<string, string> = {
    'length and chunks': `${POST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
    'chunks and length': `${POST}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${HIDDEN}`,
    'two lengths': `${POST}Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}${HIDDEN}`,
    'the same length twice': `${POST}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}${HIDDEN}`,
    'a list of lengths': `${POST}Content-Length: 2, 2\r\n\r\n{}${HIDDEN}`,
    'a negative length': `${POST}Content-Length: -1\r\n\r\n${HIDDEN}`,
    'a signed length': `${POST}Content-Length: +2\r\n\r\n{}${HIDDEN}`,
    'a hexadecimal length': `${POST}Content-Length: 0x2\r\n\r\n{}${HIDDEN}`,
    'a length that overflows': `${POST}Content-Length: 184467440737095516160\r\n\r\n${HIDDEN}`,
    'an unknown coding': `${POST}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
    'chunks that are not last': `${POST}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${HIDDEN}`,
    'chunks twice': `${POST}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
    'a space before the colon': `${POST}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
    'a tab in the name': `${POST}Transfer\t-Encoding: chunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
    'a folded header': `${GET}X-A: b\r\n c\r\n\r\n`,
    'a folded first header': `GET /api/who HTTP/1.1\r\n Host: a\r\n\r\n`,
    'a bare CR in a value': `${GET}X-A: b\rX-C: d\r\n\r\n`,
    'a bare CR as line end': 'GET /api/who HTTP/1.1\rHost: a\r\r',
    'a NUL in a value': `${GET}X-A: b\u0000c\r\n\r\n`,
    'a control character in a name': `${GET}X\u0001A: b\r\n\r\n`,
    'a chunk size that is none': `${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
    'a chunk longer than its size': `${POST}Transfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n`,
    'a chunk size that overflows': `${POST}Transfer-Encoding: chunked\r\n\r\nffffffffffffffff1\r\n{}`,
    'no host': 'GET /api/who HTTP/1.1\r\n\r\n',
    'two hosts': `${GET}Host: b\r\n\r\n`,
    'the same host twice': `${GET}Host: a\r\n\r\n`,
    'two hosts on an unknown path': 'GET /none HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
    'two hosts with a wrong verb': 'PATCH /api/who HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
    'a version that is none': 'GET /api/who HTTP/9.9\r\nHost: a\r\n\r\n',
    'a space in the path': 'GET /api/ who HTTP/1.1\r\nHost: a\r\n\r\n',
    'a verb in lower case': 'get /api/who HTTP/1.1\r\nHost: a\r\n\r\n',
    'TLS on the plain port': '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
    'nothing like HTTP': 'EHLO mail.example\r\n',
  }
  for (const [name, bytes] of Object.entries(refused))
    test(`${name}: 400, the connection closed, nothing behind it read`, async () => {
      const { text, closed } = await exchange(service.port, Buffer.from(bytes, 'latin1'))
      assert.deepEqual([statusesOf(text), closed], [[400], true], text)
      assert.doesNotMatch(text, /hidden|node|llhttp|HPE_|at \//i)
    })

  test('100 KB of headers are 431', async () => {
    for (const more of [`X-A: ${'a'.repeat(100_000)}\r\n`, 'X-A: b\r\n'.repeat(12_000)]) {
      const { text, closed } = await exchange(service.port, `${GET}${more}\r\n`)
      assert.deepEqual([statusesOf(text), closed], [[431], true])
    }
    assert.deepEqual(
      statusesOf((await exchange(service.port, `GET /${'a'.repeat(100_000)} HTTP/1.1\r\n\r\n`)).text),
      [431],
    )
  })

  test('chunk extensions without end are refused', async () => {
    const { text, closed } = await exchange(
      service.port,
      `${POST}Transfer-Encoding: chunked\r\n\r\n1;${'a'.repeat(20_000)}\r\n{\r\n`,
    )
    assert.deepEqual([statusesOf(text), closed], [[413], true])
  })

  test('the answer to what is not HTTP says nothing but its status', async () => {
    const { text } = await exchange(service.port, 'nonsense\r\n\r\n')
    assert.equal(text, 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')
  })

  test('garbage behind a good request never lands inside its answer', async () => {
    const { text, closed } = await exchange(service.port, `${GET}\r\n${'garbage '.repeat(10)}\r\n\r\n`)
    assert.equal(closed, true)
    assert.match(text, /^HTTP\/1\.1 (?:200 [\s\S]*"name":"anyone"}|400 Bad Request)/)
    assert.doesNotMatch(text, /"ip":[^}]*HTTP/)
  })

  test('requests sent in one go are answered in order', async () => {
    const many = Array.from({ length: 50 }, (_, at) =>
      at % 2 ? `${GET}\r\n` : `PUT /api/who HTTP/1.1\r\nHost: a\r\n\r\n`,
    ).join('')
    const { text } = await exchange(service.port, `${many}GET /none HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    assert.deepEqual(statusesOf(text), [...Array.from({ length: 50 }, (_, at) => (at % 2 ? 200 : 405)), 404])
  })

  test('older versions are answered and closed', async () => {
    for (const version of [' HTTP/1.0', '']) {
      const { text, closed } = await exchange(service.port, `GET /api/who${version}\r\n\r\n`)
      assert.deepEqual([statusesOf(text), closed], [[200], true])
      assert.doesNotMatch(text, /transfer-encoding/i)
    }
  })

  test('an upgrade nobody offers, an expectation and a tunnel are refused or ignored', async () => {
    const upgrade = await exchange(service.port, `${GET}Connection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n`, 500)
    assert.deepEqual(statusesOf(upgrade.text), [200])
    const expectation = await exchange(service.port, `${GET}Expect: the-unexpected\r\nConnection: close\r\n\r\n`)
    assert.deepEqual(statusesOf(expectation.text), [417])
    const tunnel = await exchange(service.port, 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n')
    assert.deepEqual([statusesOf(tunnel.text), tunnel.closed], [[], true])
  })

  test('a header given twice is not silently taken for its first value', async () => {
    const token = 'Authorization: Bearer reader\r\n'
    const things = 'GET /api/things HTTP/1.1\r\nHost: a\r\nConnection: close\r\n'
    assert.deepEqual(statusesOf((await exchange(service.port, `${things}${token}\r\n`)).text), [200])
    const two = await exchange(service.port, `${things}Authorization: Bearer wrong\r\n${token}\r\n`)
    assert.deepEqual(statusesOf(two.text), [401])
  })

  test('several Cookie headers are one, in which the first of a name counts', async () => {
    const things = 'GET /api/things HTTP/1.1\r\nHost: a\r\nConnection: close\r\n'
    const status = async (cookies: string) => statusesOf((await exchange(service.port, `${things}${cookies}\r\n`)).text)
    assert.deepEqual(await status('Cookie: a=b\r\nCookie: session=reader\r\n'), [200])
    assert.deepEqual(await status('Cookie: session=wrong\r\nCookie: session=reader\r\n'), [401])
    assert.deepEqual(await status(`Cookie: ${'c=1; '.repeat(1_000)}\r\n`), [401])
  })

  test('connections that are reset at any point do no harm', async () => {
    for (let at = 0; at < 40; at += 1) {
      const socket = await open(service.port)
      socket.write(`${POST}Content-Length: 20\r\n\r\n{"a":"b"}`.slice(0, at * 4))
      socket.resetAndDestroy()
    }
    const socket = await open(service.port)
    socket.end()
    assert.equal((await listen(socket)).closed, true)
    assert.equal((await call(service.port, { path: '/api/who' })).status, 200)
  })

  test('nothing of all this was logged as a failure of ours', () => {
    assert.deepEqual(service.logged, [])
  })
})
