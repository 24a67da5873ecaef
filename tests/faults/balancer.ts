import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'

/**
 * A balancer like the usual ones: a new connection for each request, to the processes in turn that say they are ready.
 * Where nobody listens, or a read ends without an answer, the next one is asked; a write that was sent is never sent
 * twice.
 */
export type Balancer = {
  readonly url: string
  /** Requests that were taken to the next process. */
  retried(): number
  close(): Promise<void>
}

export const startBalancer = async (targets: readonly string[]): Promise<Balancer> => {
  const ready = watchReadiness(targets)
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
    const inTurn = targets.map((_, at) => targets[(first + at) % targets.length] ?? '')
    for (const target of inTurn.toSorted((left, right) => Number(ready.has(right)) - Number(ready.has(left)))) {
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
      ready.stop()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** How often processes are asked, which is less than half of what they are set to wait. */
export const ASK_EVERY_MS = 200

const watchReadiness = (targets: readonly string[]) => {
  const ready = new Set(targets)
  const ask = async (target: string): Promise<void> => {
    const isReady = await fetch(new URL('/readyz', target), { signal: AbortSignal.timeout(ASK_EVERY_MS * 2) }).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) ready.add(target)
    else ready.delete(target)
  }
  const timer = setInterval(() => {
    for (const target of targets) void ask(target)
  }, ASK_EVERY_MS)
  return { has: (target: string) => ready.has(target), stop: () => clearInterval(timer) }
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
