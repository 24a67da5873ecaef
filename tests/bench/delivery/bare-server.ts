import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { serveBench } from '../harness.ts'
import { KEY } from './key.ts'

/** Sends the bytes of a recorded answer, with its headers, to whoever has the key. */
const [, , file = ''] = process.argv
const recorded: { headers: Record<string, string>; body: string } = JSON.parse(readFileSync(file, 'utf8'))
const body = Buffer.from(recorded.body, 'base64')
const hash = (key: string) => createHash('sha256').update(key).digest('hex')
const keys = new Map([[hash(KEY), true]])
let count = 0

const server = createServer((request, response) => {
  const key = request.headers['x-api-key']
  if (typeof key !== 'string' || !keys.has(hash(key))) {
    response.writeHead(401).end()
    return
  }
  count += 1
  response.writeHead(200, {
    ...recorded.headers,
    'x-request-id': `0123456789ab-${count.toString(36).padStart(7, '0')}`,
  })
  response.end(body)
})
server.keepAliveTimeout = 65_000
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address) serveBench(address.port)
})
