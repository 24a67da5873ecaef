import assert from 'node:assert/strict'
import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import net from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import tls from 'node:tls'
import { gzipSync } from 'node:zlib'
import { selfSignedCertificate } from '@stoa/tests/lib/certificate.ts'
import { type FakeDns, startFakeDns } from '@stoa/tests/lib/fake-dns.ts'
import { passTime, until } from '@stoa/tests/lib/waiting.ts'
import { createEgress, type EgressOptions } from './egress.ts'
import { EgressFailed, EgressRefused } from './errors.ts'

// 127.0.0.2 plays the public internet, 127.0.0.1 the inside.
const PUBLIC = '127.0.0.2'
const INSIDE = '127.0.0.1'

let dns: FakeDns
let outside: https.Server
let inside: https.Server
let port: number
let insideHits = 0
let handler: (request: IncomingMessage, response: ServerResponse) => void
const certificate = selfSignedCertificate(['hooks.test', 'rebind.test', 'several.test', PUBLIC])

const listen = async (server: net.Server, wanted: number, host: string) => {
  server.listen(wanted, host)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
const closeServer = (server: net.Server) => new Promise((resolve) => server.close(resolve))

before(async () => {
  dns = await startFakeDns()
  outside = https.createServer(certificate, (request, response) => handler(request, response))
  inside = https.createServer(certificate, (_request, response) => {
    insideHits += 1
    response.end('inside')
  })
  port = await listen(outside, 0, PUBLIC)
  await listen(inside, port, INSIDE)
  dns.set('hooks.test', 'A', [PUBLIC])
})
after(async () => {
  outside.closeAllConnections()
  inside.closeAllConnections()
  await Promise.all([closeServer(outside), closeServer(inside), dns.close()])
})
beforeEach(() => {
  insideHits = 0
  handler = (_request, response) => response.end('ok')
})

const egressOf = (options: Partial<EgressOptions> = {}) =>
  createEgress({
    ports: [port],
    resolvers: [dns.address],
    trustedCa: [certificate.cert],
    isAllowed: (address) => address === PUBLIC,
    ...options,
  })
const get = (url: string, options: Partial<EgressOptions> = {}) => egressOf(options).request({ url, method: 'GET' })
const refused = (reason: EgressRefused['reason']) => (error: unknown) => {
  assert.ok(error instanceof EgressRefused, String(error))
  assert.equal(error.reason, reason)
  return true
}
const failed = (reason: EgressFailed['reason']) => (error: unknown) => {
  assert.ok(error instanceof EgressFailed, String(error))
  assert.equal(error.reason, reason)
  return true
}

describe('a request', () => {
  test('reaches the name at its address, with Host, server name and body as given', async () => {
    const seen: Record<string, unknown> = {}
    handler = (request, response) => {
      Object.assign(seen, { method: request.method, url: request.url, headers: request.headers })
      if (request.socket instanceof tls.TLSSocket) seen.servername = request.socket.servername
      request.setEncoding('utf8').on('data', (text) => {
        seen.body = text
      })
      request.on('end', () => response.writeHead(202, { 'x-answer': 'yes' }).end('thanks'))
    }
    const answer = await egressOf().request({
      url: `https://HOOKS.test.:${port}/a/../b?c=d#e`,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-one': '1' },
      body: '{"ü":1}',
    })
    assert.equal(answer.status, 202)
    assert.equal(answer.headers['x-answer'], 'yes')
    assert.equal(answer.body.toString(), 'thanks')
    assert.equal(answer.truncated, false)
    assert.ok(answer.durationMs >= 0)
    assert.equal(seen.method, 'POST')
    assert.equal(seen.url, '/b?c=d')
    assert.equal(seen.body, '{"ü":1}')
    assert.equal(seen.servername, 'hooks.test')
    assert.deepEqual(seen.headers, {
      host: `hooks.test.:${port}`,
      connection: 'close',
      'accept-encoding': 'identity',
      'content-type': 'application/json',
      'content-length': '8',
      'x-one': '1',
    })
  })

  test('resolves a name once: a second, inner answer is never asked for', async () => {
    dns.sequence('rebind.test', 'A', [
      { answers: [PUBLIC], ttl: 0 },
      { answers: [INSIDE], ttl: 0 },
    ])
    const answer = await get(`https://rebind.test:${port}/`)
    assert.equal(answer.body.toString(), 'ok')
    assert.equal(dns.queries('rebind.test', 'A').length, 1)
    await assert.rejects(get(`https://rebind.test:${port}/`), refused('not_public'))
    assert.equal(insideHits, 0)
  })

  test('is refused when only one of several answers is not public', async () => {
    dns.set('mixed.test', 'A', [PUBLIC, INSIDE])
    dns.set('mixed6.test', 'A', [PUBLIC])
    dns.set('mixed6.test', 'AAAA', ['::ffff:127.0.0.1'])
    await assert.rejects(get(`https://mixed.test:${port}/`), refused('not_public'))
    await assert.rejects(get(`https://mixed6.test:${port}/`), refused('not_public'))
    assert.equal(insideHits, 0)
  })

  test('tries the next of several public addresses when one does not accept', async () => {
    dns.set('several.test', 'A', ['127.0.0.3', PUBLIC])
    const answer = await get(`https://several.test:${port}/`, { isAllowed: (address) => address !== INSIDE })
    assert.equal(answer.body.toString(), 'ok')
  })

  test('does not follow a redirect', async () => {
    handler = (_request, response) => response.writeHead(307, { location: `https://${INSIDE}:${port}/` }).end()
    const answer = await get(`https://hooks.test:${port}/`)
    assert.equal(answer.status, 307)
    assert.equal(insideHits, 0)
  })

  test('cuts a huge body and ends the connection', async () => {
    const closed = new Promise((resolve) => {
      handler = (_request, response) => {
        response.on('close', resolve).on('error', () => undefined)
        const pour = () => {
          while (!response.destroyed && response.write('x'.repeat(65_536)));
        }
        response.on('drain', pour)
        pour()
      }
    })
    const answer = await get(`https://hooks.test:${port}/`, { maxBodyBytes: 100_000 })
    assert.equal(answer.body.length, 100_000)
    assert.equal(answer.truncated, true)
    await closed
  })

  test('a body of exactly the limit is whole', async () => {
    handler = (_request, response) => response.end('x'.repeat(1_000))
    const answer = await egressOf().request({ url: `https://hooks.test:${port}/`, method: 'GET', maxBytes: 1_000 })
    assert.deepEqual([answer.body.length, answer.truncated], [1_000, false])
  })

  test('never unpacks a compressed body', async () => {
    const packed = gzipSync(Buffer.alloc(10_000_000))
    handler = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed)
    const answer = await get(`https://hooks.test:${port}/`)
    assert.deepEqual(answer.body, packed)
  })

  test('ends a slow body, a silent server and a slow name server when the total time is over', async () => {
    handler = (_request, response) => {
      const drip = setInterval(() => response.write('.'), 20)
      response.on('close', () => clearInterval(drip))
    }
    await assert.rejects(get(`https://hooks.test:${port}/`, { totalTimeoutMs: 150 }), failed('timeout'))
    handler = () => undefined
    await assert.rejects(get(`https://hooks.test:${port}/`, { totalTimeoutMs: 100 }), failed('timeout'))
    dns.fail('silent.test', 'A', 'timeout')
    dns.fail('silent.test', 'AAAA', 'timeout')
    await assert.rejects(get(`https://silent.test:${port}/`, { totalTimeoutMs: 100 }), failed('timeout'))
  })

  test('ends a TLS handshake that never comes', async () => {
    const mute = net.createServer()
    const mutePort = await listen(mute, 0, PUBLIC)
    const closed = once(mute, 'connection').then(([socket]) => once(socket.resume(), 'close'))
    const options = { ports: [mutePort], totalTimeoutMs: 100 }
    await assert.rejects(get(`https://hooks.test:${mutePort}/`, options), failed('timeout'))
    await closed
    await closeServer(mute)
  })

  test('the caller can give up, and gets its own reason', async () => {
    handler = () => undefined
    const giveUp = new AbortController()
    const asked = egressOf().request({ url: `https://hooks.test:${port}/`, method: 'GET', signal: giveUp.signal })
    void passTime(50, 'the request is under way').then(() => giveUp.abort(new Error('stopping')))
    await assert.rejects(asked, /stopping/)
  })

  test('takes no proxy from the environment', async () => {
    process.env.HTTPS_PROXY = process.env.https_proxy = `http://${INSIDE}:9`
    try {
      assert.equal((await get(`https://hooks.test:${port}/`)).body.toString(), 'ok')
    } finally {
      delete process.env.HTTPS_PROXY
      delete process.env.https_proxy
    }
  })
})

describe('refusals', () => {
  const cases: [string, EgressRefused['reason']][] = [
    ['http://hooks.test:PORT/', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['gopher://hooks.test:PORT/', 'scheme'],
    ['data:text/plain,x', 'scheme'],
    ['ftp://hooks.test/', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['hooks.test', 'invalid_url'],
    ['//hooks.test/', 'invalid_url'],
    ['https://', 'invalid_url'],
    ['https://a..b:PORT/', 'invalid_url'],
    ['https://[fe80::1%25lo]:PORT/', 'invalid_url'],
    ['https://user@hooks.test:PORT/', 'credentials'],
    ['https://:secret@hooks.test:PORT/', 'credentials'],
    ['https://hooks.test/', 'port'],
    ['https://hooks.test:22/', 'port'],
    ['https://hooks.test:0/', 'port'],
    ['https://127.0.0.1:PORT/', 'not_public'],
    ['https://127.1:PORT/', 'not_public'],
    ['https://0x7f000001:PORT/', 'not_public'],
    ['https://2130706433:PORT/', 'not_public'],
    ['https://0177.0.0.1:PORT/', 'not_public'],
    ['https://127.0.0.1.:PORT/', 'not_public'],
    ['https://[::1]:PORT/', 'not_public'],
    ['https://[::ffff:127.0.0.1]:PORT/', 'not_public'],
    ['https://localhost:PORT/', 'not_public'],
    ['https://api.localhost.:PORT/', 'not_public'],
    ['https://absent.test:PORT/', 'no_address'],
  ]
  for (const [template, reason] of cases)
    test(`${template} is refused: ${reason}`, async () => {
      const url = template.replace('PORT', String(port))
      await assert.rejects(egressOf().check(url), refused(reason))
      await assert.rejects(get(url), refused(reason))
      assert.equal(insideHits, 0)
    })

  test('with the usual rule, loopback in every dress is refused, the stand-in for public too', async () => {
    const strict = createEgress({ ports: [port], resolvers: [dns.address] })
    for (const host of [PUBLIC, INSIDE, 'hooks.test', '[::ffff:127.0.0.2]', '169.254.169.254', '[64:ff9b::7f00:1]'])
      await assert.rejects(strict.check(`https://${host}:${port}/`), refused('not_public'))
  })

  test('a check returns what it allows, normalized', async () => {
    assert.deepEqual(await egressOf().check(`https://HOOKS.test.:${port}/x`), {
      url: `https://hooks.test.:${port}/x`,
      host: 'hooks.test',
      port,
      addresses: [PUBLIC],
    })
  })
})

describe('the allow-private switch', () => {
  test('permits http, any port and inner addresses, but no other scheme and no credentials', async () => {
    const plain = http.createServer((_request, response) => response.end('plain'))
    const plainPort = await listen(plain, 0, INSIDE)
    const egress = createEgress({ ports: [443], allowPrivate: true, resolvers: [dns.address] })
    for (const host of [INSIDE, 'localhost', '127.1'])
      assert.equal(
        (await egress.request({ url: `http://${host}:${plainPort}/`, method: 'GET' })).body.toString(),
        'plain',
      )
    for (const url of ['file:///etc/passwd', 'gopher://127.0.0.1/', 'data:,x', 'ws://127.0.0.1/'])
      await assert.rejects(egress.request({ url, method: 'GET' }), refused('scheme'))
    await assert.rejects(
      egress.request({ url: `http://a@${INSIDE}:${plainPort}/`, method: 'GET' }),
      refused('credentials'),
    )
    plain.closeAllConnections()
    await closeServer(plain)
  })

  test('without resolvers it uses the system lookup', async () => {
    const egress = createEgress({ ports: [], allowPrivate: true })
    assert.ok((await egress.check('http://localhost:1/')).addresses.includes(INSIDE))
    await assert.rejects(
      egress.check('http://no-such-name.invalid/'),
      (error) => error instanceof EgressRefused || error instanceof EgressFailed,
    )
  })
})

describe('failures', () => {
  test('a closed port, an inner address and a timeout read the same to the outside', async () => {
    const closed = net.createServer()
    const closedPort = await listen(closed, 0, PUBLIC)
    await closeServer(closed)
    handler = () => undefined
    const text = async (url: string, options: Partial<EgressOptions>) =>
      get(url, options).then(
        () => 'reached',
        (error: unknown) =>
          error instanceof EgressFailed || error instanceof EgressRefused ? error.publicMessage : String(error),
      )
    await assert.rejects(get(`https://hooks.test:${closedPort}/`, { ports: [closedPort] }), failed('connect'))
    const texts = [
      await text(`https://hooks.test:${closedPort}/`, { ports: [closedPort] }),
      await text(`https://${INSIDE}:${port}/`, {}),
      await text(`https://hooks.test:${port}/`, { totalTimeoutMs: 50 }),
      await text(`https://absent.test:${port}/`, {}),
    ]
    assert.deepEqual(new Set(texts), new Set(["The server couldn't be reached"]))
  })

  test('a certificate for another name or from an unknown authority is refused', async () => {
    dns.set('other.test', 'A', [PUBLIC])
    await assert.rejects(get(`https://other.test:${port}/`), failed('tls'))
    await assert.rejects(get(`https://hooks.test:${port}/`, { trustedCa: [] }), failed('tls'))
    assert.equal((await get(`https://${PUBLIC}:${port}/`)).status, 200)
  })

  test('an environment that turns certificate checks off is not obeyed', async () => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    try {
      await assert.rejects(get(`https://hooks.test:${port}/`, { trustedCa: [] }), failed('tls'))
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    }
  })

  test('a broken name server, a cut answer, nonsense and endless headers have their own reasons', async () => {
    dns.fail('broken.test', 'A', 'SERVFAIL')
    dns.fail('broken.test', 'AAAA', 'SERVFAIL')
    await assert.rejects(get(`https://broken.test:${port}/`), failed('dns'))
    handler = (request) => request.socket.destroy()
    await assert.rejects(get(`https://hooks.test:${port}/`), failed('connect'))
    handler = (request) => request.socket.end('SSH-2.0-OpenSSH_9.2\r\n')
    await assert.rejects(get(`https://hooks.test:${port}/`), failed('protocol'))
    handler = (request) => request.socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`)
    await assert.rejects(get(`https://hooks.test:${port}/`), failed('too_large'))
    handler = (request) => request.socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc')
    await assert.rejects(get(`https://hooks.test:${port}/`), failed('connect'))
  })

  test('no connection is left behind', async () => {
    const open = () =>
      new Promise<number>((resolve, reject) =>
        outside.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      )
    await until(async () => (await open()) === 0, 'all are closed')
  })
})
