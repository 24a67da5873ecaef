import assert from 'node:assert/strict'
import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import { after, before, beforeEach, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { until } from '@stoa/tests/lib/waiting.ts'
import { AwsClient } from 'aws4fetch'
import { createEgress } from './egress.ts'
import { EgressFailed, EgressRefused } from './errors.ts'
import { createEgressFetch, type EgressFetchOptions } from './fetch.ts'

const HOST = '127.0.0.1'
let server: http.Server
let base: string
let port: number
let handler: (request: IncomingMessage, response: ServerResponse) => void

before(async () => {
  server = http.createServer((request, response) => handler(request, response)).listen(0, HOST)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  port = address.port
  base = `http://${HOST}:${port}`
})
after(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})
beforeEach(() => {
  handler = (_request, response) => response.end('ok')
})

const fetchOf = (options: EgressFetchOptions = {}) =>
  createEgressFetch(createEgress({ ports: [443] }), { privateHosts: [`${HOST}:${port}`], ...options })
const echo = (request: IncomingMessage, response: ServerResponse) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { method, headers } = request
    response.end(JSON.stringify({ method, headers, body: Buffer.concat(chunks).toString() }))
  })
}

test('a library’s call gives a Response, with every kind of body sent as fetch would', async () => {
  handler = echo
  const fetch = fetchOf()
  const form = new FormData()
  form.set('a', 'b')
  const cases: [RequestInit, RegExp, string | undefined][] = [
    [{ body: '{"a":1}', headers: { 'Content-Type': 'application/json' } }, /^\{"a":1\}$/, '7'],
    [{ body: new URLSearchParams({ a: 'b c' }) }, /^a=b\+c$/, '5'],
    [{ body: Buffer.from('bytes') }, /^bytes$/, '5'],
    [{ body: new Blob(['blob']) }, /^blob$/, '4'],
    [{ body: form }, /name="a"\r\n\r\nb\r\n/, undefined],
    [{ body: new Blob(['streamed']).stream() }, /^streamed$/, 'chunked'],
  ]
  for (const [init, body, length] of cases) {
    const response = await fetch(`${base}/x`, { method: 'POST', ...init })
    assert.deepEqual([response.ok, response.url], [true, `${base}/x`])
    const seen = JSON.parse(await response.text())
    assert.match(seen.body, body)
    if (length === 'chunked') assert.equal(seen.headers['transfer-encoding'], 'chunked')
    else assert.equal(seen.headers['content-length'], length ?? seen.headers['content-length'])
    assert.ok(seen.headers['content-length'] !== undefined || length === 'chunked')
  }
})

test('a signed Request of aws4fetch is sent as it is, with its length', async () => {
  handler = echo
  const aws = new AwsClient({ accessKeyId: 'k', secretAccessKey: 's', service: 's3', region: 'r' })
  const request = await aws.sign(`${base}/bucket/key`, { method: 'PUT', body: 'content' })
  const seen = JSON.parse(await (await fetchOf()(request)).text())
  assert.deepEqual([seen.method, seen.body, seen.headers['content-length']], ['PUT', 'content', '7'])
  assert.match(seen.headers.authorization, /^AWS4-HMAC-SHA256 /)
  const large = await aws.sign(`${base}/bucket/key`, { method: 'PUT', body: 'x'.repeat(300_000) })
  assert.equal(JSON.parse(await (await fetchOf()(large)).text()).body.length, 300_000)
})

test('the body of an answer is streamed, and an abort ends call and body with its reason', async () => {
  let goOn: () => void = () => undefined
  let isClosed = false
  handler = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
    goOn = () => void response.write('data: 2\n\n')
    response.on('close', () => {
      isClosed = true
    })
  }
  const stop = new AbortController()
  const response = await fetchOf()(base, { signal: stop.signal })
  const reader = response.body?.getReader()
  assert.ok(reader)
  assert.equal(Buffer.from((await reader.read()).value ?? []).toString(), 'data: 1\n\n')
  goOn()
  assert.equal(Buffer.from((await reader.read()).value ?? []).toString(), 'data: 2\n\n')
  stop.abort()
  await assert.rejects(reader.read(), { name: 'AbortError' })
  await until(() => isClosed, 'the target sees the end')
  await assert.rejects(fetchOf()(base, { signal: stop.signal }), { name: 'AbortError' })
})

test('a limit that is reached is named, in the call or in the body', async () => {
  handler = () => undefined
  const silent = fetchOf({ limits: { headersMs: 50 } })(base)
  await assert.rejects(silent, /no response after 50 ms/)
  handler = (_request, response) => void response.write('begun')
  const stalled = await fetchOf({ limits: { idleMs: 50 } })(base)
  await assert.rejects(stalled.text(), /nothing sent or received for 50 ms/)
  handler = (_request, response) =>
    void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(9_000)))
  const bomb = await fetchOf({ limits: { maxBytes: 1_000 } })(base)
  await assert.rejects(bomb.text(), /more than 1000 bytes/)
  const short = await fetchOf()(base)
  assert.equal((await short.arrayBuffer()).byteLength, 9_000)
})

test('a cut connection rejects the reading of the body', async () => {
  handler = (request) => void request.socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc')
  const response = await fetchOf()(base)
  await assert.rejects(response.text(), EgressFailed)
})

test('redirects are answers, or errors when asked for; other targets are refused', async () => {
  handler = (_request, response) => response.writeHead(302, { location: '/next' }).end()
  assert.equal((await fetchOf()(base)).status, 302)
  await assert.rejects(fetchOf()(base, { redirect: 'error' }), EgressFailed)
  await assert.rejects(fetchOf()(`http://${HOST}:${port + 1}/`), EgressRefused)
  await assert.rejects(fetchOf()('file:///etc/passwd'), EgressRefused)
  await assert.rejects(fetchOf()(base, { method: 'TRACE' }), TypeError)
  handler = (_request, response) => response.writeHead(204).end()
  assert.equal((await fetchOf()(base)).body, null)
})
