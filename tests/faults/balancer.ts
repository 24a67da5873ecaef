import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'

/**
 * A balancer as plain as they come: a new connection for each request, to the processes in turn. Where nobody listens,
 * or a read ends without an answer, the next one is asked; a write that was sent is never sent twice.
 */
export type Balancer = {
  readonly url: string
  /** Requests that were taken to the next process. */
  retried(): number
  close(): Promise<void>
}

export const startBalancer = async (targets: readonly string[]): Promise<Balancer> => {
  let turn = 0
  let retried = 0
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    turn += 1
    // Others take their turns while this one is under way.
    const first = turn
    const met: string[] = []
    for (let tried = 0; tried < targets.length; tried += 1) {
      const target = targets[(first + tried) % targets.length] ?? ''
      const result = await forward(target, request, body)
      if (typeof result !== 'string') return send(result, response)
      met.push(result)
      const mayRepeat = result === 'refused' || request.method === 'GET'
      if (!mayRepeat) break
      retried += 1
    }
    response.writeHead(502).end(JSON.stringify({ code: `${request.method} ${met.join(', ')}` }))
  }
  const server = http.createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the balancer has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    retried: () => retried,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

type Answer = { status: number; headers: http.IncomingHttpHeaders; body: Buffer }

/** The whole answer, or how it was not to be had. */
const forward = (target: string, request: IncomingMessage, body: Buffer): Promise<Answer | string> =>
  new Promise((resolve) => {
    const { connection: _hop, ...headers } = request.headers
    const url = new URL(request.url ?? '/', target)
    const outgoing = http.request(url, { method: request.method, headers, agent: false }, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk) => chunks.push(chunk))
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode ?? 502, headers: incoming.headers, body: Buffer.concat(chunks) }),
      )
      incoming.on('error', () => resolve('cut'))
    })
    outgoing.on('error', (error) =>
      resolve('code' in error && error.code === 'ECONNREFUSED' ? 'refused' : `cut ${error.message}`),
    )
    outgoing.end(body)
  })

const send = ({ status, headers, body }: Answer, response: ServerResponse): void => {
  const { connection: _hop, 'transfer-encoding': _coding, ...kept } = headers
  response.writeHead(status, kept).end(body)
}
