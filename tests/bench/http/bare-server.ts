import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { serveBench } from '../harness.ts'
import { hash, RECORD, TOKENS } from './record.ts'

const start = randomBytes(6).toString('hex')
let count = 0

const server = createServer((request, response) => {
  const token = request.headers.authorization?.slice('Bearer '.length) ?? ''
  if (!TOKENS.has(hash(token))) {
    response.writeHead(401).end()
    return
  }
  count += 1
  const body = JSON.stringify(RECORD)
  response.writeHead(200, {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
    'x-request-id': `${start}-${count.toString(36).padStart(7, '0')}`,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
})
server.keepAliveTimeout = 65_000
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address) serveBench(address.port)
})
