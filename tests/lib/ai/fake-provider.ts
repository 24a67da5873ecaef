import { once } from 'node:events'
import http, { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * What is sent, piece by piece. A promise holds the stream until it is settled. `ending`: `end` closes the answer as HTTP
 * does, whatever was said in it; `cut` breaks the connection off; `stall` sends nothing more and stays; `flood` goes on
 * with as many bytes of the last piece.
 */
export type FakeAnswer = {
  status?: number
  headers?: Record<string, string>
  pieces: Iterable<string | Uint8Array | Promise<unknown>>
  ending?: 'end' | 'cut' | 'stall' | { flood: number }
}

export type FakeRequest = { path: string; method: string; headers: IncomingHttpHeaders; json: unknown }

export type FakeProvider = {
  /** Without a trailing slash. */
  readonly url: string
  readonly port: number
  /** All requests, oldest first. */
  readonly requests: readonly FakeRequest[]
  /** Violations that a real provider would have refused. A test should find it empty. */
  readonly problems: string[]
  /** Answers that are being sent. */
  open(): number
  /** Bytes that were written until now. */
  bytesSent(): number
  close(): Promise<void>
}

/** A server on loopback that sends the configured responses. */
export const startFakeProvider = async (
  answerTo: (request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>,
): Promise<FakeProvider> => {
  const requests: FakeRequest[] = []
  const problems: string[] = []
  let open = 0
  let bytes = 0
  const server = http.createServer((incoming, response) => {
    open += 1
    response.on('close', () => {
      open -= 1
    })
    const serve = async () => {
      const request = await readRequest(incoming)
      requests.push(request)
      await send(response, await answerTo(request), (count) => {
        bytes += count
      })
    }
    serve().catch((error: unknown) => {
      if (!response.destroyed) problems.push(String(error))
      response.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the fake provider has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    requests,
    problems,
    open: () => open,
    bytesSent: () => bytes,
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

export const jsonAnswer = (body: unknown, status = 200, headers: Record<string, string> = {}): FakeAnswer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  pieces: [JSON.stringify(body)],
})

const readRequest = async (incoming: IncomingMessage): Promise<FakeRequest> => {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString('utf8')
  return {
    path: incoming.url ?? '/',
    method: incoming.method ?? 'GET',
    headers: incoming.headers,
    json: text === '' ? undefined : JSON.parse(text),
  }
}

const send = async (response: ServerResponse, answer: FakeAnswer, onBytes: (count: number) => void): Promise<void> => {
  response.writeHead(answer.status ?? 200, answer.headers)
  response.flushHeaders()
  const closed = once(response, 'close')
  let last: Uint8Array = Buffer.from(' ')
  const write = async (piece: Uint8Array) => {
    onBytes(piece.length)
    if (!response.write(piece) && !response.destroyed) await Promise.race([drained(response), closed])
    // Each piece is read by itself.
    await sleep(1)
  }
  for (const piece of answer.pieces) {
    if (response.destroyed) return
    if (piece instanceof Promise) {
      await Promise.race([piece, closed])
      continue
    }
    last = typeof piece === 'string' ? Buffer.from(piece) : piece
    await write(last)
  }
  const { ending = 'end' } = answer
  if (ending === 'end') return void response.end()
  if (ending === 'cut') return void response.socket?.destroy()
  if (ending === 'stall') return
  const block = Buffer.concat(Array.from({ length: Math.ceil(65_536 / last.length) }, () => last))
  for (let sent = 0; sent < ending.flood && !response.destroyed; sent += block.length) await write(block)
  response.end()
}

const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => void response.once('drain', resolve))
