import assert from 'node:assert/strict'
import { once } from 'node:events'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { passTime, until } from '@stoa/tests/lib/waiting.ts'
import { z } from 'zod'
import { readBody } from './body.ts'
import { PUBLIC } from './route.ts'
import { type Answer, call, exchange, listen, open, statusesOf, writeJson } from './testing/client.ts'
import { route, routes, type Service, startService } from './testing/service.ts'

const MIB = 1024 * 1024
const HEAD =
  'POST /api/things HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer writer\r\nContent-Type: application/json\r\n'
const CHECK = 'POST /api/things/check HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n'
/** A JSON text of exactly so many bytes. */
const textOf = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`

const drained = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    socket.once('drain', resolve).once('close', resolve)
  })

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')
const heapUsed = (): number => {
  collect()
  return process.memoryUsage().heapUsed
}

const sized = [
  route({
    method: 'POST',
    path: '/api/large',
    summary: 'Takes more than others',
    auth: PUBLIC,
    access: 'all',
    bodyLimit: 2 * MIB,
    body: z.unknown(),
    output: 'empty',
    run: () => undefined,
  }),
  route({
    method: 'POST',
    path: '/api/small',
    summary: 'Takes less than others',
    auth: PUBLIC,
    access: 'all',
    bodyLimit: 100,
    body: z.unknown(),
    output: 'empty',
    run: () => undefined,
  }),
]

test('a body whose sender is gone is not waited for', async () => {
  const request = new IncomingMessage(new Socket())
  request.destroy()
  await once(request, 'close')
  await assert.rejects(readBody(request, 100, 60_000), { kind: 'invalid_json' })
})

describe('bodies', () => {
  let service: Service
  before(async () => {
    service = await startService({ routes: [...routes, ...sized] })
  })
  after(() => service.stop())
  const check = (body: string | Buffer, headers: Record<string, string> = {}) =>
    writeJson(service.port, '/api/things/check', body, { headers })
  const outcome = ({ status, json }: Answer) => [status, json.code ?? 'ok']

  describe('what counts as JSON', () => {
    test('no body, with or without a type, is an empty object', async () => {
      const bare = { method: 'POST', path: '/api/things/check' }
      assert.deepEqual((await call(service.port, bare)).json, { ok: true, body: {} })
      for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
        const answer = await call(service.port, { ...bare, headers: { 'content-type': type } })
        assert.deepEqual(answer.json, { ok: true, body: {} }, type)
      }
      assert.deepEqual((await check(' \n ')).json, { ok: true, body: {} })
      assert.ok(
        (
          await exchange(service.port, `${CHECK}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\n`)
        ).text.includes('"body":{}'),
      )
    })

    test('other types are refused, because any page can send them without asking', async () => {
      const types = [
        'text/plain',
        'text/plain;application/json',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
      ]
      for (const type of [
        ...types,
        'application/jsonp',
        'application/vnd.api+json',
        'text/json',
        'application/json,text/plain',
        'application/json x',
        ';;;',
        '',
        'application',
        '/',
        'application/json;;;="',
      ])
        assert.deepEqual(
          outcome(await check('{}', { 'content-type': type })),
          type.startsWith('application/json;') ? [200, 'ok'] : [415, 'unsupported_media'],
          type,
        )
      const untyped = await exchange(
        service.port,
        'POST /api/things/check HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}',
      )
      assert.deepEqual(statusesOf(untyped.text), [415])
      const twice = await exchange(
        service.port,
        `${CHECK}Content-Type: text/plain\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
      )
      assert.deepEqual(statusesOf(twice.text), [415])
    })

    test('case, space and charset of the type do not matter: JSON is UTF-8', async () => {
      for (const type of [
        'APPLICATION/JSON',
        'application/json ; charset=utf-8',
        'application/json;charset="UTF-8"',
        'application/json; charset=utf-16',
      ])
        assert.deepEqual(outcome(await check('{"a":"é"}', { 'content-type': type })), [200, 'ok'], type)
      const latin = Buffer.from('{"a":"é"}', 'latin1')
      assert.deepEqual(outcome(await check(latin, { 'content-type': 'application/json; charset=iso-8859-1' })), [
        400,
        'invalid_json',
      ])
    })

    test('bytes that are not UTF-8 are refused', async () => {
      for (const bytes of [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82], [0x80]])
        assert.deepEqual(outcome(await check(Buffer.from([0x22, ...bytes, 0x22]))), [400, 'invalid_json'])
      assert.deepEqual(outcome(await check(Buffer.from('\ufeff{}'))), [400, 'invalid_json'])
      assert.deepEqual(outcome(await check(Buffer.from('{}', 'utf16le'))), [400, 'invalid_json'])
    })

    test('what the parser refuses is 400 and nothing ran', async () => {
      for (const text of [
        '{"name":"a","name":"b"}',
        '{"name":"a","n\\u0061me":"b"}',
        '{"__proto__":{}}',
        '{"name":"\\u0000"}',
        '{"name":"\\ud800"}',
        '{',
        '['.repeat(65),
      ])
        assert.deepEqual(outcome(await writeJson(service.port, '/api/things', text)), [400, 'invalid_json'], text)
    })

    test('packed bodies are not unpacked', async () => {
      const answer = await check(Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0]), { 'content-encoding': 'gzip' })
      assert.deepEqual(outcome(answer), [400, 'invalid_json'])
    })
  })

  describe('size', () => {
    test('the limit itself passes, one byte more is 413, with an honest length', async () => {
      assert.equal((await check(textOf(MIB))).status, 200)
      const over = await check(textOf(MIB + 1))
      assert.deepEqual(outcome(over), [413, 'too_large'])
      assert.equal(over.headers.connection, 'close')
      assert.deepEqual(over.json.details, { limit: MIB })
      assert.equal((await writeJson(service.port, '/api/small', textOf(100))).status, 204)
      assert.equal((await writeJson(service.port, '/api/small', textOf(101))).status, 413)
      assert.equal((await writeJson(service.port, '/api/large', textOf(2 * MIB))).status, 204)
      assert.equal((await writeJson(service.port, '/api/large', textOf(2 * MIB + 1))).status, 413)
    })

    test('the same without a length', async () => {
      const chunked = (bytes: number) =>
        `${CHECK}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n${bytes.toString(16)}\r\n${textOf(bytes)}\r\n0\r\n\r\n`
      assert.deepEqual(statusesOf((await exchange(service.port, chunked(MIB))).text), [200])
      const over = await exchange(service.port, chunked(MIB + 1))
      assert.deepEqual([statusesOf(over.text), over.closed], [[413], true])
    })

    test('a declared length over the limit is refused before a byte of it arrives', async () => {
      for (const length of [MIB + 1, 10 ** 12, 9007199254740993n]) {
        const { text, closed } = await exchange(service.port, `${CHECK}Content-Length: ${length}\r\n\r\n`)
        assert.deepEqual([statusesOf(text), closed], [[413], true])
      }
    })

    test('an endless body is cut: the connection takes no more than it must', async () => {
      const socket = await open(service.port)
      const ended = listen(socket, 15_000)
      socket.write(`${CHECK}Transfer-Encoding: chunked\r\n\r\n`)
      const chunk = Buffer.from(`10000\r\n${'x'.repeat(65_536)}\r\n`)
      let sent = 0
      while (!socket.destroyed && sent < 100 * MIB) {
        sent += chunk.length
        if (!socket.write(chunk)) await drained(socket)
      }
      const { closed } = await ended
      assert.equal(closed, true)
      assert.ok(sent < 50 * MIB, `${sent} bytes were taken`)
    })

    test('chunks of one byte each do not multiply the memory', async () => {
      const patient = await startService()
      let received: Socket | undefined
      patient.app.server.on('connection', (accepted) => {
        received = accepted
      })
      const socket = await open(patient.port)
      const ended = listen(socket, 20_000)
      const before = heapUsed()
      socket.write(`${CHECK}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n"\r\n`)
      const part = '1\r\nx\r\n'.repeat(10_000)
      for (let sent = 0; sent < 250_000; sent += 10_000) if (!socket.write(part)) await drained(socket)
      await until(() => (received?.bytesRead ?? 0) >= 250_000 * 6, 'all of it has arrived')
      const held = heapUsed() - before
      socket.write('1\r\n"\r\n0\r\n\r\n')
      const { text } = await ended
      assert.deepEqual(statusesOf(text), [200])
      assert.ok(text.includes('x'.repeat(250_000)))
      assert.ok(held < 8 * MIB, `${held} bytes for 250,000`)
      await patient.stop()
    })

    test('a length that is too short leaves garbage, which ends the connection', async () => {
      const { text, closed } = await exchange(service.port, `${CHECK}Content-Length: 2\r\n\r\n{}{"second":"part"}`)
      assert.deepEqual([statusesOf(text).at(-1), closed], [400, true])
    })
  })

  describe('time', { concurrency: true }, () => {
    let impatient: Service
    before(async () => {
      impatient = await startService({ routes: [...routes, ...sized], timeouts: { body: 300 } })
    })
    after(() => impatient.stop())

    test('a body that never comes to its end is cut', async () => {
      for (const part of ['', '{"a":']) {
        const { text, closed } = await exchange(impatient.port, `${CHECK}Content-Length: 100\r\n\r\n${part}`, 15_000)
        assert.deepEqual([statusesOf(text), closed], [[], true])
      }
    })

    test('a body that drips is cut all the same', async () => {
      const socket = await open(impatient.port)
      const ended = listen(socket, 15_000)
      socket.write(`${CHECK}Content-Length: 100000\r\n\r\n`)
      const drip = setInterval(() => socket.write('x'), 20)
      const { closed } = await ended
      clearInterval(drip)
      assert.equal(closed, true)
    })

    test('a larger limit comes with more time', async () => {
      const socket = await open(impatient.port)
      const ended = listen(socket, 15_000)
      socket.write(
        'POST /api/large HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{',
      )
      await passTime(900, 'longer than a small body may take')
      socket.write('}')
      assert.deepEqual(statusesOf((await ended).text), [204])
    })

    test('a client that goes away in the middle does no harm', async () => {
      for (let at = 0; at < 20; at += 1) {
        const socket = await open(impatient.port)
        socket.write(`${HEAD}Content-Length: 100\r\n\r\n{"na`)
        if (at % 2) socket.resetAndDestroy()
        else socket.end()
      }
      assert.equal((await writeJson(impatient.port, '/api/things/check', '{}')).status, 200)
    })
  })

  test('nobody is made to read a body before the credential was good', async () => {
    const head =
      'POST /api/things HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n'
    const { text } = await exchange(service.port, head, 300)
    assert.deepEqual(statusesOf(text), [401])
  })

  test('the object is looked for before the body is looked at', async () => {
    const put = (id: string, body: string) => writeJson(service.port, `/api/things/${id}`, body, { method: 'PUT' })
    assert.deepEqual(outcome(await put('missing', '{"wrong":true')), [404, 'gone'])
    assert.deepEqual(outcome(await put('missing', '{"wrong":true}')), [404, 'gone'])
    assert.deepEqual(outcome(await put('there', '{"wrong":true}')), [400, 'invalid_input'])
    assert.deepEqual(outcome(await put('there', '{"wrong":true')), [400, 'invalid_json'])
  })

  test('a body sent with a read is ignored', async () => {
    const headers = { authorization: 'Bearer reader', 'content-type': 'text/plain', 'content-length': '4' }
    assert.equal((await call(service.port, { path: '/api/things', headers, body: '{{{{' })).status, 200)
  })
})
