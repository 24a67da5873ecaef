import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { buildConnector, Dispatcher } from 'undici'
import { EgressFailed } from './errors.ts'
import type { Method } from './methods.ts'
import { Client, errors } from './undici.ts'

/** A connection, and this file: it is loaded with the first request, since most processes at rest send none for hours. */
export type HttpConnection = { socket: Socket; http: typeof import('./http.ts') }

export type HttpRequest = {
  method: Method
  headers?: Record<string, string>
  body?: string | Uint8Array
}

export type HttpResponse = {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** The body as received, never decompressed. */
  body: Buffer
  /** True when the body was longer than the limit: `body` is its beginning. */
  truncated: boolean
}

/** An answer whose body has not been read yet. `close` must be called, whether it was read or not. */
export type OpenExchange = {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** Read at the reader's pace. Ends only when the whole body came: a cut connection throws `EgressFailed`. */
  body: AsyncIterable<Uint8Array>
  close(): Promise<void>
}

/**
 * Sends one HTTP/1.1 request on an open connection, which serves no other. Resolves with the head of the answer;
 * redirects are answers like any other. The connection is closed by `close`, by a failure and by the signal.
 */
export const openExchange = async (
  socket: Socket,
  url: URL,
  request: { method: Method; headers: Record<string, string>; body: Readable | Uint8Array | string | null },
  signal: AbortSignal,
): Promise<OpenExchange> => {
  const client = new Client(url.origin, {
    connect: onlyConnection(socket),
    maxHeaderSize: MAX_HEADER_BYTES,
    // The caller's deadline covers everything.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const close = async () => {
    // Also discards the rest of a body that was not read.
    await client.destroy()
    socket.destroy()
  }
  const reasonOf = (error: unknown) => (signal.aborted ? signal.reason : translate(error))
  try {
    const response = await client.request({
      path: url.pathname + url.search,
      method: request.method,
      headers: { 'accept-encoding': 'identity', ...request.headers },
      body: request.body,
      reset: true,
      signal,
    })
    const { statusCode: status, headers } = response
    return { status, headers, body: withTranslatedErrors(response.body, reasonOf), close }
  } catch (error) {
    await close()
    throw reasonOf(error)
  }
}

/** One whole exchange with an answer that is kept up to `maxBytes`. */
export const exchange = async (
  socket: Socket,
  url: URL,
  request: HttpRequest,
  options: { maxBytes: number; signal: AbortSignal },
): Promise<HttpResponse> => {
  const { method, headers = {}, body = null } = request
  const opened = await openExchange(socket, url, { method, headers, body }, options.signal)
  try {
    const read = await readBody(opened.body, options.maxBytes)
    return { status: opened.status, headers: opened.headers, ...read }
  } finally {
    await opened.close()
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

async function* withTranslatedErrors(
  body: Dispatcher.ResponseData['body'],
  reasonOf: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) yield Buffer.from(chunk)
  } catch (error) {
    throw reasonOf(error)
  }
}

const readBody = async (stream: AsyncIterable<Uint8Array>, maxBytes: number) => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const bytes of stream) {
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
  return new EgressFailed(isCut(error) ? 'connect' : 'protocol', error)
}

const isCut = (error: unknown): boolean =>
  error instanceof errors.SocketError ||
  error instanceof errors.ResponseContentLengthMismatchError ||
  // The parser's word for a chunked body without its last chunk.
  (error instanceof errors.HTTPParserError && error.message.includes('Invalid EOF state')) ||
  (error instanceof Error && 'code' in error && CUT_CODES.has(String(error.code)))

const CUT_CODES = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'])
