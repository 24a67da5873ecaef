import http, { type ClientRequest, type IncomingMessage, type Server } from 'node:http'
import { type Duplex, duplexPair, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'

/** Requests to a server of this process that never reach a network. */
export type MemoryHttp = {
  fetch(request: Request): Promise<Response>
  close(): void
}

/** Requests from this process come from this machine. */
const OWN_ADDRESS = '127.0.0.1'
/** RFC 9110 §6.4.1 and the Fetch standard: a `Response` with these must not have a body. */
const BODILESS: ReadonlySet<number> = new Set([101, 204, 205, 304])
/** They say how a message crosses one connection, and mean nothing beyond it. */
const PER_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding']

/**
 * The server need not listen. It is complete HTTP, so that streaming, limits and errors are those of the network.
 * `onSend` gets each request; it closes when its answer was read to the end.
 */
export const openMemoryHttp = (server: Server, onSend: (request: ClientRequest) => void): MemoryHttp => {
  const agent = new http.Agent({ keepAlive: true })
  agent.createConnection = () => {
    const [ours, theirs] = duplexPair()
    server.emit('connection', asSocket(theirs))
    return asSocket(ours)
  }
  return {
    fetch: (request) => send(request, { agent, onSend }),
    close: () => agent.destroy(),
  }
}

type Way = { agent: http.Agent; onSend(request: ClientRequest): void }

const send = async (request: Request, { agent, onSend }: Way): Promise<Response> => {
  request.signal.throwIfAborted()
  const url = new URL(request.url)
  const outgoing = http.request({
    agent,
    method: request.method,
    path: url.pathname + url.search,
    headers: { ...headersOf(request), host: url.host },
    setDefaultHeaders: false,
    signal: request.signal,
  })
  onSend(outgoing)
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve)
    outgoing.on('error', reject)
  })
  // The answer may come before the body is through, such as a refusal; then what is left of it is dropped.
  outgoing.once('response', (message) => message.once('end', () => outgoing.writableFinished || outgoing.destroy()))
  const sent = request.body === null ? void outgoing.end() : pipeline(request.body, outgoing)
  sent?.catch(() => undefined)
  try {
    return await toResponse(await answered, request)
  } catch (error) {
    throw request.signal.aborted ? request.signal.reason : error
  }
}

const headersOf = (request: Request): Record<string, string> => {
  const headers = Object.fromEntries(request.headers)
  for (const name of PER_CONNECTION) delete headers[name]
  // Without a length the body is sent in chunks.
  if (request.body !== null && headers['content-length'] === undefined) headers['transfer-encoding'] = 'chunked'
  return headers
}

/** Up to this size an answer is taken whole, so that nothing waits for a reader who only looks at the status. */
const WHOLE_LIMIT = 1_048_576

const toResponse = async (message: IncomingMessage, request: Request): Promise<Response> => {
  const headers = new Headers()
  for (let index = 0; index < message.rawHeaders.length; index += 2) {
    const name = message.rawHeaders[index] ?? ''
    if (!PER_CONNECTION.includes(name.toLowerCase())) headers.append(name, message.rawHeaders[index + 1] ?? '')
  }
  const status = message.statusCode ?? 500
  const hasBody = request.method !== 'HEAD' && !BODILESS.has(status)
  if (!hasBody) message.resume()
  const body = hasBody ? await bodyOf(message) : null
  return new Response(body, { status, statusText: message.statusMessage ?? '', headers })
}

const bodyOf = async (message: IncomingMessage): Promise<BodyInit> => {
  const length = message.headers['content-length']
  if (length !== undefined && Number(length) <= WHOLE_LIMIT) return new Uint8Array(await buffer(message))
  // The reader of the body gets its error; this listener only keeps it from being unhandled.
  message.on('error', () => undefined)
  return Readable.toWeb(message) as ReadableStream<Uint8Array>
}

/** What HTTP asks of a socket besides streaming. There is no wire that could fall silent, so that time-outs mean nothing. */
const asSocket = (stream: Duplex): Duplex & { remoteAddress: string } => {
  const nothing = () => socket
  const socket = Object.assign(stream, {
    remoteAddress: OWN_ADDRESS,
    setTimeout: nothing,
    setNoDelay: nothing,
    setKeepAlive: nothing,
    ref: nothing,
    unref: nothing,
  })
  return socket
}
