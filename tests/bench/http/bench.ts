import { compare, load, startServer } from '../harness.ts'
import { TOKEN } from './record.ts'

const REQUEST = `GET /api/things/42 HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${TOKEN}\r\naccept: application/json\r\n\r\n`
const TARGET = 0.75

/**
 * An authenticated JSON route of the kit (token hashed and looked up, permission checked, path parsed, answer built by
 * its schema, security headers, request id) against bare node:http that sends the same bytes behind the same check.
 */
export const run = async (): Promise<void> => {
  const ours = await startServer(new URL('./kit-server.ts', import.meta.url))
  const limit = await startServer(new URL('./bare-server.ts', import.meta.url))
  try {
    const answers = [ours, limit].map((server) => load(server.port, { request: REQUEST, connections: 1, total: 1 }))
    const [mine, bare] = (await Promise.all(answers)).map(String)
    if (sameBytes(mine) !== sameBytes(bare)) throw new Error(`The two answers differ:\n${mine}\n---\n${bare}`)
    const work = { request: REQUEST, connections: 16, total: 4_000 }
    await compare('http', { ours, limit, limitName: 'bare node:http', work, rounds: 41, target: TARGET })
  } finally {
    await Promise.all([ours.stop(), limit.stop()])
  }
}

/** Everything but the date and the request's own id. */
const sameBytes = (answer: string | undefined): string =>
  (answer ?? '').replace(/\r\ndate: [^\r]*/i, '').replace(/\r\nx-request-id: [^\r]*/i, (line) => ` id:${line.length}`)
