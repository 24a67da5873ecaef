import assert from 'node:assert/strict'
import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import type net from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { selfSignedCertificate } from '@stoa/tests/lib/certificate.ts'
import { passTime, until } from '@stoa/tests/lib/waiting.ts'
import { createEgress, type EgressOptions } from './egress.ts'
import { EgressFailed, EgressRefused, type LimitName } from './errors.ts'
import type { StreamRequest } from './stream.ts'

// 127.0.0.2 plays the public internet, 127.0.0.1 the inside.
const PUBLIC = '127.0.0.2'
const INSIDE = '127.0.0.1'
const certificate = selfSignedCertificate(['api.test', 'rebind.test', PUBLIC])
const answers: Record<string, string[]> = { 'api.test': [PUBLIC], 'inner.test': [INSIDE], 'model.test': [INSIDE] }

type Handler = (request: IncomingMessage, response: ServerResponse) => void
let outside: https.Server
let inside: http.Server
let port: number
let insidePort: number
let insideHits: string[]
let handler: Handler

const listen = async (server: net.Server, host: string) => {
  server.listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
const connections = (server: net.Server) =>
  new Promise<number>((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )

before(async () => {
  outside = https.createServer(certificate, (request, response) => handler(request, response))
  inside = http.createServer((request, response) => {
    insideHits.push(request.url ?? '')
    handler(request, response)
  })
  port = await listen(outside, PUBLIC)
  insidePort = await listen(inside, INSIDE)
})
after(async () => {
  for (const server of [outside, inside]) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})
beforeEach(() => {
  insideHits = []
  handler = (_request, response) => response.end('ok')
})

const egressOf = (options: Partial<EgressOptions> = {}) =>
  createEgress({
    ports: [port],
    resolver: async (name) => answers[name] ?? [],
    trustedCa: [certificate.cert],
    isAllowed: (address) => address === PUBLIC,
    ...options,
  })
const stream = (request: Partial<StreamRequest> = {}, options: Partial<EgressOptions> = {}) =>
  egressOf(options).stream({ url: `https://api.test:${port}/`, ...request })
const text = async (body: ReadableStream<Uint8Array>) => new TextDecoder().decode(await bytes(body))
const bytes = async (body: ReadableStream<Uint8Array>) => {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}
/** A limit may be over before the head has come, on a busy machine. */
const readAll = async (request: Partial<StreamRequest>) => bytes((await stream(request)).body)
const limitReached = (name: LimitName) => (error: unknown) => {
  assert.ok(error instanceof EgressFailed, String(error))
  assert.equal(error.limit?.name, name)
  return true
}
const failed = (reason: EgressFailed['reason']) => (error: unknown) => {
  assert.ok(error instanceof EgressFailed, String(error))
  assert.equal(error.reason, reason)
  return true
}
const refused = (reason: EgressRefused['reason']) => (error: unknown) => {
  assert.ok(error instanceof EgressRefused, String(error))
  assert.equal(error.reason, reason)
  return true
}
const noConnectionLeft = () => until(async () => (await connections(outside)) === 0, 'every connection is closed')

/** Writes for as long as the other side accepts it; returns how much was accepted. */
const pour = (response: ServerResponse) => {
  const state = { written: 0 }
  const piece = Buffer.alloc(65_536, 'x')
  const write = () => {
    while (!response.destroyed) {
      state.written += piece.length
      if (!response.write(piece)) break
    }
  }
  response.on('drain', write).on('error', () => undefined)
  write()
  return state
}

describe('an answer', () => {
  test('is given with its head as soon as that came, and its body piece by piece', async () => {
    let goOn: () => void = () => undefined
    handler = (_request, response) => {
      response.writeHead(201, { 'x-one': '1', 'set-cookie': ['a=1', 'b=2'] }).write('first')
      goOn = () => response.end('second')
    }
    const answer = await stream()
    assert.deepEqual([answer.status, answer.headers.get('x-one')], [201, '1'])
    assert.deepEqual(answer.headers.getSetCookie(), ['a=1', 'b=2'])
    const reader = answer.body.getReader()
    assert.equal(Buffer.from((await reader.read()).value ?? []).toString(), 'first')
    assert.equal(answer.bytesReceived(), 5)
    goOn()
    assert.equal(Buffer.from((await reader.read()).value ?? []).toString(), 'second')
    assert.equal((await reader.read()).done, true)
    assert.equal(answer.bytesReceived(), 11)
    await noConnectionLeft()
  })

  test('is received at the pace of its reader', async () => {
    let state = { written: 0 }
    handler = (_request, response) => {
      state = pour(response)
    }
    const answer = await stream({ limits: { maxBytes: 2 ** 40 } })
    const reader = answer.body.getReader()
    await reader.read()
    // The kernel's buffers take some megabytes; then the target must wait.
    let last = -1
    await until(async () => {
      const before = last
      last = state.written
      await passTime(100, 'whoever still writes would have by now')
      return state.written === before
    }, 'the target waits')
    const held = state.written
    assert.ok(held < 64 * 2 ** 20, `${held} bytes`)
    assert.ok(answer.bytesReceived() <= 2 * 65_536, `${answer.bytesReceived()} bytes were read ahead`)
    for (let read = 0; read < 2 * held; ) read += (await reader.read()).value?.length ?? 0
    assert.ok(state.written > held)
    await reader.cancel()
    await noConnectionLeft()
  })

  test('that never ends is cut at the limit, also when its length was not declared', async () => {
    handler = (_request, response) => void pour(response)
    const answer = await stream({ limits: { maxBytes: 1_000_000 } })
    await assert.rejects(bytes(answer.body), limitReached('body'))
    await noConnectionLeft()
  })

  test('that says it is too long is not read at all', async () => {
    handler = (_request, response) => void response.writeHead(200, { 'content-length': '1001' }).write('x')
    await assert.rejects(stream({ limits: { maxBytes: 1_000 } }), limitReached('body'))
    await noConnectionLeft()
    handler = (_request, response) => response.end('x'.repeat(1_000))
    assert.equal((await bytes((await stream({ limits: { maxBytes: 1_000 } })).body)).length, 1_000)
  })

  test('whose connection is cut is a failure and never a short body', async () => {
    for (const head of ['content-length: 10', 'transfer-encoding: chunked']) {
      handler = (request) => request.socket.end(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n3\r\nabc\r\n`.slice(0, -1))
      const answer = await stream()
      await assert.rejects(bytes(answer.body), failed('connect'), head)
    }
    handler = (_request, response) => {
      response.write('abc')
      void passTime(20, 'the head and a part are there before').then(() => response.destroy())
    }
    const answer = await stream()
    await assert.rejects(bytes(answer.body), failed('connect'))
    await noConnectionLeft()
  })

  test('without a body needs no reading', async () => {
    for (const status of [204, 205, 304]) {
      handler = (_request, response) => response.writeHead(status).end()
      assert.equal(await text((await stream()).body), '')
    }
    handler = (_request, response) => response.writeHead(200, { 'content-length': '99' }).end()
    const answer = await stream({ method: 'HEAD', limits: { maxBytes: 10 } })
    assert.equal(answer.headers.get('content-length'), '99')
    await noConnectionLeft()
  })
})

describe('time limits', () => {
  test('a silent target, one that stops in the middle and one that drips each reach their own', async () => {
    handler = () => undefined
    await assert.rejects(stream({ limits: { headersMs: 60 } }), limitReached('headers'))
    handler = (_request, response) => void response.write('begun')
    await assert.rejects(readAll({ limits: { idleMs: 60 } }), limitReached('idle'))
    handler = (_request, response) => {
      const drip = setInterval(() => response.write('.'), 10)
      response.on('close', () => clearInterval(drip))
    }
    await assert.rejects(readAll({ limits: { idleMs: 60_000, totalMs: 400 } }), limitReached('total'))
    await noConnectionLeft()
  })

  test('a head that drips reaches the one for the head', async () => {
    handler = (request) => {
      request.socket.write('HTTP/1.1 200 OK\r\n')
      const drip = setInterval(() => request.socket.write('x: y\r\n'), 10)
      request.socket.on('close', () => clearInterval(drip)).on('error', () => undefined)
    }
    await assert.rejects(stream({ limits: { headersMs: 200 } }), limitReached('headers'))
    await noConnectionLeft()
  })

  test('a name server that does not answer reaches the one for the connection', async () => {
    const silent = stream({ limits: { connectMs: 50 } }, { resolver: () => new Promise(() => undefined) })
    await assert.rejects(silent, limitReached('connect'))
  })

  test('a slow reader is not the target’s fault, but does not keep the connection for ever', async () => {
    handler = (_request, response) => void pour(response)
    const readSlowly = async () => {
      const answer = await stream({ limits: { idleMs: 50, totalMs: 600, maxBytes: 2 ** 40 } })
      const reader = answer.body.getReader()
      for (;;) {
        await passTime(200, 'the reader is slower than the idle limit')
        await reader.read()
      }
    }
    await assert.rejects(readSlowly(), limitReached('total'))
    await noConnectionLeft()
  })
})

describe('giving up', () => {
  test('before the answer and in the middle of it frees the connection, with the caller’s reason', async () => {
    handler = () => undefined
    const early = new AbortController()
    const asked = stream({ signal: early.signal })
    await until(async () => (await connections(outside)) === 1, 'it is connected')
    early.abort(new Error('stopping'))
    await assert.rejects(asked, /stopping/)
    await noConnectionLeft()

    handler = (_request, response) => void pour(response)
    const late = new AbortController()
    const answer = await stream({ signal: late.signal })
    const reader = answer.body.getReader()
    await reader.read()
    late.abort(new Error('stop pressed'))
    await assert.rejects(reader.read(), /stop pressed/)
    await noConnectionLeft()
    await assert.rejects(stream({ signal: late.signal }), /stop pressed/)
  })

  test('on the body frees the connection', async () => {
    handler = (_request, response) => void pour(response)
    const answer = await stream()
    await answer.body.cancel()
    await noConnectionLeft()
  })
})

describe('an upload', () => {
  const collect: Handler = (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { 'content-length': length = '-', 'transfer-encoding': coding = '-' } = request.headers
      response.end(`${Buffer.concat(chunks).length} ${length} ${coding}`)
    })
  }
  async function* numbered(count: number, size: number) {
    for (let index = 0; index < count; index += 1) yield Buffer.alloc(size, String(index % 10))
  }

  test('may be text, bytes, an iterable or a stream, with its length where that is known', async () => {
    handler = collect
    const cases: [Partial<StreamRequest>, string][] = [
      [{ body: 'ü' }, '2 2 -'],
      [{ body: Buffer.alloc(300_000) }, '300000 300000 -'],
      [{ body: numbered(10, 30_000) }, '300000 - chunked'],
      [{ body: numbered(10, 30_000), contentLength: 300_000 }, '300000 300000 -'],
      [{ body: new Blob(['x'.repeat(200_000)]).stream(), contentLength: 200_000 }, '200000 200000 -'],
      [{}, '0 0 -'],
    ]
    for (const [request, expected] of cases)
      assert.equal(await text((await stream({ method: 'POST', ...request })).body), expected)
    await noConnectionLeft()
  })

  test('is read at the pace at which the target takes it', async () => {
    let resume: () => void = () => undefined
    handler = (request, response) => {
      request.pause()
      resume = () => request.resume().on('end', () => response.end('done'))
    }
    let produced = 0
    async function* endless() {
      for (; produced < 400; produced += 1) yield Buffer.alloc(262_144)
    }
    const answer = stream({ method: 'PUT', body: endless() })
    let last = -1
    await until(async () => {
      const before = last
      last = produced
      await passTime(100, 'whoever still writes would have by now')
      return produced > 0 && produced === before
    }, 'the producer waits')
    assert.ok(produced < 300, `${produced} pieces were read`)
    resume()
    assert.equal(await text((await answer).body), 'done')
    assert.equal(produced, 400)
  })

  test('that the target stops taking reaches the idle limit, and its source is closed', async () => {
    let paused: IncomingMessage | undefined
    handler = (request) => {
      paused = request.on('error', () => undefined).pause()
    }
    let isClosed = false
    async function* endless() {
      try {
        for (;;) yield Buffer.alloc(262_144)
      } finally {
        isClosed = true
      }
    }
    await assert.rejects(stream({ method: 'PUT', body: endless(), limits: { idleMs: 300 } }), limitReached('idle'))
    await until(() => isClosed, 'the source is closed')
    // Only a target that reads learns that the connection is gone.
    paused?.resume()
    await noConnectionLeft()
  })

  test('may be answered before it has ended', async () => {
    handler = (_request, response) => response.writeHead(413).end('too much')
    let isClosed = false
    async function* endless() {
      try {
        for (;;) yield Buffer.alloc(16_384)
      } finally {
        isClosed = true
      }
    }
    const answer = await stream({ method: 'POST', body: endless() })
    assert.deepEqual([answer.status, await text(answer.body)], [413, 'too much'])
    await until(() => isClosed, 'the source is closed')
    await noConnectionLeft()
  })

  test('whose source fails, or has another length than declared, fails with that', async () => {
    let ended = 0
    handler = (request) => {
      request.on('end', () => {
        ended += 1
      })
      request.on('error', () => undefined).resume()
    }
    async function* broken() {
      yield Buffer.from('a')
      throw new RangeError('the disk is gone')
    }
    await assert.rejects(stream({ method: 'POST', body: broken() }), /the disk is gone/)
    for (const contentLength of [299, 301])
      await assert.rejects(stream({ method: 'POST', body: numbered(3, 100), contentLength }), TypeError)
    await noConnectionLeft()
    assert.equal(ended, 0, 'the target saw a whole request')
  })

  test('cannot bring headers of its own that say where it goes or ends', async () => {
    let seen: IncomingMessage['headers'] = {}
    handler = (request, response) => {
      seen = request.headers
      request.resume().on('end', () => response.end())
    }
    const headers = {
      Host: 'inner',
      'Content-Length': '1',
      'transfer-encoding': 'chunked',
      connection: 'x',
      'x-a': '1',
    }
    const answer = await stream({ method: 'POST', body: 'four', headers })
    await answer.body.cancel()
    const { host, 'content-length': length, connection, 'x-a': own } = seen
    assert.deepEqual(
      { host, length, connection, own },
      { host: `api.test:${port}`, length: '4', connection: 'close', own: '1' },
    )
  })
})

describe('compression', () => {
  const packed = gzipSync(Buffer.alloc(50_000_000))

  test('is left alone unless asked for', async () => {
    let accepted: unknown
    handler = (request, response) => {
      accepted = request.headers['accept-encoding']
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed)
    }
    const answer = await stream()
    assert.deepEqual(await bytes(answer.body), packed)
    assert.deepEqual([accepted, answer.headers.get('content-encoding')], ['identity', 'gzip'])
  })

  test('is decoded when asked for, and the headers then describe the result', async () => {
    for (const [coding, pack] of [
      ['gzip', gzipSync],
      ['br', brotliCompressSync],
    ] as const) {
      const body = pack('plain text')
      handler = (_request, response) =>
        response.writeHead(200, { 'content-encoding': coding, 'content-length': body.length }).end(body)
      const answer = await stream({ decompress: true })
      assert.equal(await text(answer.body), 'plain text')
      assert.deepEqual([answer.headers.get('content-encoding'), answer.headers.get('content-length')], [null, null])
      assert.equal(answer.bytesReceived(), body.length)
    }
  })

  test('of a bomb ends at the limit, without unpacking the rest', async () => {
    handler = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed)
    const answer = await stream({ decompress: true, limits: { maxBytes: 1_000_000 } })
    let size = 0
    const read = async () => {
      for await (const chunk of answer.body) size += chunk.length
    }
    await assert.rejects(read(), limitReached('body'))
    assert.ok(size <= 1_000_000)
    await noConnectionLeft()
  })

  test('that is broken, cut or of an unknown kind is a failure', async () => {
    const half = gzipSync(Buffer.from('x'.repeat(1_000))).subarray(0, 20)
    for (const [coding, body] of [
      ['gzip', Buffer.from('no gzip')],
      ['gzip', half],
      ['br', Buffer.from('no brotli at all')],
      ['gzip, gzip', gzipSync(gzipSync('x'))],
      ['constructor', Buffer.from('x')],
    ] as const) {
      handler = (_request, response) => response.writeHead(200, { 'content-encoding': coding }).end(body)
      const answer = await stream({ decompress: true })
      await assert.rejects(bytes(answer.body), failed('protocol'), coding)
    }
    await noConnectionLeft()
  })
})

describe('redirects', () => {
  test('are answers unless asked for, and then followed inside the origin only and so often', async () => {
    handler = (request, response) => {
      const hop = Number(request.url?.slice(1) ?? 0)
      response.writeHead(302, { location: `/${hop + 1}` }).end()
    }
    assert.equal((await stream()).status, 302)
    const third = await stream({ url: `https://api.test:${port}/0`, redirects: 3 })
    assert.deepEqual([third.status, third.url], [302, `https://api.test:${port}/3`])
    for (const location of [
      `http://${INSIDE}:${insidePort}/`,
      `https://${PUBLIC}:${port}/`,
      `http://api.test:${port}/`,
    ]) {
      handler = (_request, response) => response.writeHead(307, { location }).end()
      assert.equal((await stream({ redirects: 5, privateHosts: [INSIDE] })).status, 307, location)
    }
    assert.deepEqual(insideHits, [])
    await noConnectionLeft()
  })

  test('check the name anew', async () => {
    const seen: string[] = []
    handler = (request, response) => {
      seen.push(request.url ?? '')
      response.writeHead(302, { location: '/next' }).end()
    }
    let asked = 0
    const resolver = async () => {
      asked += 1
      return asked === 1 ? [PUBLIC] : [INSIDE]
    }
    await assert.rejects(
      stream({ url: `https://rebind.test:${port}/first`, redirects: 3 }, { resolver }),
      refused('not_public'),
    )
    assert.deepEqual([seen, insideHits], [['/first'], []])
  })

  test('keep method and body as fetch does, and a stream is not sent twice', async () => {
    const seen: string[] = []
    let status = 307
    handler = (request, response) => {
      let body = ''
      request.setEncoding('utf8').on('data', (piece: string) => {
        body += piece
      })
      request.on('end', () => {
        seen.push(`${request.method} ${request.url} ${body} ${request.headers['content-type'] ?? '-'}`)
        if (request.url === '/') response.writeHead(status, { location: '/b' }).end()
        else response.end()
      })
    }
    const post = (body: StreamRequest['body'] & {}) =>
      stream({ method: 'POST', body, headers: { 'content-type': 'text/plain' }, redirects: 1 })
    await (await post('x')).body.cancel()
    status = 303
    await (await post('x')).body.cancel()
    status = 308
    const streamed = await post(new Blob(['x']).stream())
    assert.equal(streamed.status, 308)
    assert.deepEqual(seen, [
      'POST / x text/plain',
      'POST /b x text/plain',
      'POST / x text/plain',
      'GET /b  -',
      'POST / x text/plain',
    ])
  })
})

describe('private targets', () => {
  const reach = async (url: string, call: Partial<StreamRequest>, options: Partial<EgressOptions> = {}) =>
    text((await stream({ url, ...call }, options)).body)

  test('are reached by plain http when named with host, port or range, for one call or for all', async () => {
    const byAddress = `http://${INSIDE}:${insidePort}/`
    const byName = `http://model.test:${insidePort}/`
    for (const [url, entry] of [
      [byAddress, INSIDE],
      [byAddress, `${INSIDE}:${insidePort}`],
      [byAddress, '127.0.0.0/30'],
      [byName, 'MODEL.test'],
      [byName, `model.test:${insidePort}`],
      [byName, '127.0.0.1/32'],
      [`http://localhost:${insidePort}/`, 'localhost'],
    ] as const) {
      assert.equal(await reach(url, { privateHosts: [entry] }), 'ok', entry)
      assert.equal(await reach(url, {}, { privateHosts: [entry] }), 'ok', entry)
    }
  })

  test('that are not named stay out of reach, whatever else is', async () => {
    const privateHosts = ['other.test', `${INSIDE}:1`, '10.0.0.0/8', 'localhost:1', '[::1]:80']
    const cases: [string, EgressRefused['reason']][] = [
      [`http://${INSIDE}:${insidePort}/`, 'scheme'],
      [`https://${INSIDE}:${insidePort}/`, 'port'],
      [`https://${INSIDE}:${port}/`, 'not_public'],
      [`http://model.test:${insidePort}/`, 'not_public'],
      [`http://api.test:${port}/`, 'scheme'],
      [`https://api.test:${port + 1}/`, 'port'],
      [`http://user@${INSIDE}:1/`, 'credentials'],
    ]
    for (const [url, reason] of cases) await assert.rejects(stream({ url, privateHosts }), refused(reason), url)
    assert.deepEqual(insideHits, [])
  })

  test('of a range are refused when one of several addresses is outside it', async () => {
    const resolver = async () => [INSIDE, '10.0.0.1']
    const privateHosts = ['127.0.0.1/32']
    await assert.rejects(
      stream({ url: `http://mixed.test:${insidePort}/`, privateHosts }, { resolver }),
      refused('not_public'),
    )
    const halfPublic = async () => [INSIDE, PUBLIC]
    await assert.rejects(
      stream({ url: `http://mixed.test:${insidePort}/`, privateHosts }, { resolver: halfPublic }),
      refused('scheme'),
    )
    assert.deepEqual(insideHits, [])
  })

  test('of one call are not those of the next, and a bad entry is a mistake in the program', async () => {
    const egress = egressOf()
    const url = `http://${INSIDE}:${insidePort}/`
    await (await egress.stream({ url, privateHosts: [INSIDE] })).body.cancel()
    await assert.rejects(egress.stream({ url }), refused('scheme'))
    assert.deepEqual(egress.checkForm(url, { privateHosts: [INSIDE] }), { url })
    assert.throws(() => egress.checkForm(url), refused('scheme'))
    for (const entry of ['', 'a b', 'a:0', 'a:70000', '10.0.0.0/99', 'http://a', 'a/b'])
      assert.throws(() => egressOf({ privateHosts: [entry] }), TypeError, entry)
  })
})
