import type { Socket } from 'node:net'
import { type buildConnector, Client, type Dispatcher, errors } from 'undici'
import { EgressFailed } from './errors.ts'

export type HttpRequest = {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers?: Record<string, string>
  body?: string | Uint8Array
}

export type HttpResponse = {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** As sent, never decompressed. */
  body: Buffer
  /** True when the body was longer than the limit: `body` is its beginning. */
  truncated: boolean
}

/** One HTTP/1.1 exchange on an open connection, which is closed afterwards. Redirects are answers like any other. */
export const exchange = async (
  socket: Socket,
  url: URL,
  request: HttpRequest,
  options: { maxBytes: number; signal: AbortSignal },
): Promise<HttpResponse> => {
  const client = new Client(url.origin, {
    connect: onlyConnection(socket),
    maxHeaderSize: MAX_HEADER_BYTES,
    // The caller's deadline covers everything.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  try {
    const response = await client.request({
      path: url.pathname + url.search,
      method: request.method,
      headers: { 'accept-encoding': 'identity', ...request.headers },
      body: typeof request.body === 'string' ? request.body : request.body ? Buffer.from(request.body) : null,
      reset: true,
      signal: options.signal,
    })
    const { body, truncated } = await readBody(response.body, options.maxBytes)
    return { status: response.statusCode, headers: response.headers, body, truncated }
  } catch (error) {
    throw options.signal.aborted ? options.signal.reason : translate(error)
  } finally {
    // Also ends what is left of a body that was cut.
    await client.destroy()
    socket.destroy()
  }
}

/** Enough for any answer that is meant seriously. */
const MAX_HEADER_BYTES = 16_384

/** Hands out the given connection once: a client that would connect again by itself would resolve the name again. */
const onlyConnection = (socket: Socket): buildConnector.connector => {
  let used = false
  return (_options, callback) => {
    if (used) return callback(new Error('the connection was closed'), null)
    used = true
    // Not at once: undici ignores a connection that arrives while it is still asking for it.
    queueMicrotask(() => callback(null, socket))
  }
}

const readBody = async (stream: Dispatcher.ResponseData['body'], maxBytes: number) => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk)
    const room = maxBytes - size
    if (bytes.length > room) {
      chunks.push(bytes.subarray(0, room))
      return { body: Buffer.concat(chunks), truncated: true }
    }
    chunks.push(bytes)
    size += bytes.length
  }
  return { body: Buffer.concat(chunks), truncated: false }
}

const translate = (error: unknown): EgressFailed => {
  if (error instanceof errors.HeadersOverflowError) return new EgressFailed('too_large', error)
  const isCut =
    error instanceof errors.SocketError ||
    (error instanceof Error && 'code' in error && CUT_CODES.has(String(error.code)))
  return new EgressFailed(isCut ? 'connect' : 'protocol', error)
}

const CUT_CODES = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'])
