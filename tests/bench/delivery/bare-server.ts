import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { serveBench } from '../harness.ts'
import { KEY } from './key.ts'

/** Sends the bytes of recorded answers, with their headers, to clients with the key. */
const [, , file = ''] = process.argv
type Recorded = { path: string; headers: Record<string, string>; body: string }
const recorded: Recorded[] = JSON.parse(readFileSync(file, 'utf8'))
const answers = new Map(
  recorded.map(({ path, headers, body }) => [path, { headers, body: Buffer.from(body, 'base64') }]),
)
const hash = (key: string) => createHash('sha256').update(key).digest('hex')
const keys = new Map([[hash(KEY), true]])
let count = 0

const server = createServer((request, response) => {
  const key = request.headers['x-api-key']
  const answer = answers.get(request.url ?? '')
  if (typeof key !== 'string' || !keys.has(hash(key)) || !answer) {
    response.writeHead(401).end()
    return
  }
  count += 1
  response.writeHead(200, {
    ...answer.headers,
    'x-request-id': `0123456789ab-${count.toString(36).padStart(7, '0')}`,
  })
  response.end(answer.body)
})
server.keepAliveTimeout = 65_000
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address) serveBench(address.port)
})
