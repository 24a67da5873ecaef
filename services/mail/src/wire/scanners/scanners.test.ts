import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { after, before, beforeEach, describe, test } from 'node:test'
import { createLogger } from '@stoa/kit/log.ts'
import { rspamdReason } from '../../receiving/spam/spam.ts'
import { askRspamd, askScanner } from './scanners.ts'

const BYTES = Buffer.from('From: ann@example.org\r\n\r\nsecret words\r\n')
const exhibit = {
  bytes: BYTES,
  ip: '192.0.2.1',
  helo: 'mx.example.org\r\nX: y',
  mailFrom: 'ann@example.org',
  recipients: ['bob@example.net', 'jörg@example.net'],
}
type Seen = { path: string; headers: Record<string, unknown>; body: string }

let server: Server
let url: string
let reply: { status: number; body: string }
let seen: Seen[]
const logs: string[] = []
const log = createLogger({ name: 'mail', level: 'trace', destination: { write: (line) => void logs.push(line) } })
before(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    seen.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() })
    response.writeHead(reply.status).end(reply.body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
})
after(() => server.close())
beforeEach(() => {
  seen = []
  logs.length = 0
})

const FAILURES = ['', 'no json', '[]', '{"score":"high"}', 'null', 'x'.repeat(300_000)]

describe('rspamd', () => {
  test('is given the message with its envelope, and its score is put on our scale', async () => {
    reply = { status: 200, body: '{"score":12,"required_score":15,"action":"add header","symbols":{"A":{},"B":{}}}' }
    const answer = await askRspamd(url, exhibit, log)
    assert.deepEqual(answer, { score: 12, action: 'add header', symbols: ['A', 'B'] })
    assert.deepEqual(answer && rspamdReason(answer), { name: 'rspamd', points: 10 })
    const [request] = seen
    assert.deepEqual([request?.path, request?.body], ['/checkv2', BYTES.toString()])
    const { ip, helo, from, rcpt } = request?.headers ?? {}
    assert.deepEqual(
      [ip, helo, from, rcpt],
      ['192.0.2.1', 'mx.example.org??X: y', 'ann@example.org', 'bob@example.net, j?rg@example.net'],
    )
    assert.deepEqual(rspamdReason({ score: -400, action: '', symbols: [] }).points, -5)
  })

  test('has no opinion when it is away or answers nonsense, and that is logged without the message', async () => {
    for (const body of FAILURES) {
      reply = { status: 200, body }
      assert.equal(await askRspamd(url, exhibit, log), null)
    }
    reply = { status: 500, body: '{}' }
    assert.equal(await askRspamd(url, exhibit, log), null)
    assert.equal(await askRspamd('http://127.0.0.1:1/', exhibit, log), null)
    assert.equal(logs.length, FAILURES.length + 2)
    assert.ok(!logs.join('').includes('secret words'))
  })

  test('is not sent messages that are too large', async () => {
    assert.equal(await askRspamd(url, { ...exhibit, bytes: Buffer.alloc(6_000_000) }, log), null)
    assert.deepEqual(seen, [])
  })
})

describe('a scanner', () => {
  test('gets the message, and returns whether it is infected', async () => {
    reply = { status: 200, body: '{"infected":true,"name":"Eicar"}' }
    assert.deepEqual(await askScanner(`${url}/scan`, BYTES, log), { isInfected: true, name: 'Eicar' })
    assert.deepEqual([seen[0]?.path, seen[0]?.body], ['/scan', BYTES.toString()])
    reply = { status: 200, body: '{"infected":false}' }
    assert.deepEqual(await askScanner(url, BYTES, log), { isInfected: false, name: null })
  })

  test('has no opinion when it does not answer as it should', async () => {
    for (const body of FAILURES) {
      reply = { status: 200, body }
      assert.equal(await askScanner(url, BYTES, log), null)
    }
    reply = { status: 503, body: '' }
    assert.equal(await askScanner(url, BYTES, log), null)
  })
})
