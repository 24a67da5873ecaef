import { type Deadline, startDeadline } from './deadline.ts'
import { ACCEPTED_CODINGS, decoded, limited, tooLarge, watched } from './download.ts'
import type { HttpConnection, OpenExchange } from './http.ts'
import type { Method } from './methods.ts'
import { createUpload, isRepeatable, type UploadBody } from './upload.ts'

export type StreamLimits = {
  /** Longest time for DNS, connection and TLS together. */
  connectMs: number
  /** Longest time from the end of the request to the head of the answer. */
  headersMs: number
  /** Longest time in which nothing moves: no piece of the request is taken, or none of the answer comes. */
  idleMs: number
  /** Longest time for everything, also for reading the answer. Frees the connection of an answer nobody reads. */
  totalMs: number
  /** Longest body of an answer, after decompression. */
  maxBytes: number
}

export type StreamRequest = {
  url: string
  method?: Method
  /** `host`, `content-length` and what belongs to the connection is ours, and left out. */
  headers?: Record<string, string>
  body?: UploadBody
  /** Length of a streamed body. Without it the body is sent in chunks, which some services refuse. */
  contentLength?: number
  limits?: Partial<StreamLimits>
  signal?: AbortSignal
  /** Private targets that this call may reach, beside those of the egress: `host`, `host:port` or a range. */
  privateHosts?: readonly string[]
  /** How many redirects inside the origin are followed, each checked anew. All others are answers. */
  redirects?: number
  /** Asks for and unpacks gzip, brotli and deflate. Otherwise the body is as sent. */
  decompress?: boolean
}

/**
 * An answer as it comes. Its body must be read to the end or canceled, or it keeps its connection until `totalMs`.
 * Reading it throws `EgressFailed` when a limit is reached or the connection is cut, and the signal's reason.
 */
export type StreamResponse = {
  /** Where the answer came from, after redirects. */
  url: string
  status: number
  headers: Headers
  /** Read at the reader's pace: what is not read is not received. */
  body: ReadableStream<Uint8Array>
  /** Bytes of the body received until now, before decompression. */
  bytesReceived(): number
}

/** Opens the checked connection for one URL. */
export type OpenConnection = (url: string, deadline: Deadline) => Promise<HttpConnection & { url: URL }>

const DEFAULT_LIMITS: StreamLimits = {
  connectMs: 10_000,
  headersMs: 30_000,
  idleMs: 30_000,
  totalMs: 120_000,
  maxBytes: 10 * 2 ** 20,
}

/** One exchange with streamed bodies. Resolves with the head of the answer. */
export const openStream = async (request: StreamRequest, connect: OpenConnection): Promise<StreamResponse> => {
  const limits = { ...DEFAULT_LIMITS, ...request.limits }
  const deadline = startDeadline(limits.totalMs, request.signal)
  const { url, method = 'GET', headers = {}, body, contentLength, redirects = 0 } = request
  let hop: Hop = { url, method, headers: ownHeadersRemoved(headers), body, contentLength }
  if (request.decompress) hop.headers = { 'accept-encoding': ACCEPTED_CODINGS, ...hop.headers }
  try {
    for (let count = 0; ; count += 1) {
      const { answer, url: from } = await ask(hop, limits, deadline, connect)
      const next = count < redirects ? redirectedHop(hop, answer, from) : null
      if (next === null) return await toResponse(answer, from, hop.method, { ...request, limits, deadline })
      await answer.close()
      hop = next
    }
  } catch (error) {
    deadline.end()
    throw error
  }
}

type Hop = {
  url: string
  method: Method
  headers: Record<string, string>
  body: UploadBody | undefined
  contentLength: number | undefined
}

const ask = async (
  hop: Hop,
  limits: StreamLimits,
  deadline: Deadline,
  connect: OpenConnection,
): Promise<{ answer: OpenExchange; url: URL }> => {
  const connecting = deadline.limit('connect', limits.connectMs)
  const sending = deadline.limit('idle', limits.idleMs)
  const waiting = deadline.limit('headers', limits.headersMs)
  let failure: { error: unknown } | undefined
  let isAnswered = false
  connecting.start()
  try {
    const { socket, http, url } = await connect(hop.url, deadline)
    connecting.end()
    sending.start()
    const { body, length } = createUpload(hop.body, hop.contentLength, {
      onProgress: () => isAnswered || sending.start(),
      onSent: () => {
        sending.end()
        if (!isAnswered) waiting.start()
      },
      onError: (error) => {
        failure = { error }
      },
    })
    const headers = length === null ? hop.headers : { ...hop.headers, 'content-length': String(length) }
    const answer = await http.openExchange(socket, url, { method: hop.method, headers, body }, deadline.signal)
    return { answer, url }
  } catch (error) {
    // The body of the caller has its own reasons to fail.
    throw failure && !deadline.signal.aborted ? failure.error : error
  } finally {
    isAnswered = true
    for (const limit of [connecting, sending, waiting]) limit.end()
  }
}

/** Fetch's rules for methods, inside the origin only. Null when the answer stands for itself. */
const redirectedHop = (hop: Hop, answer: OpenExchange, from: URL): Hop | null => {
  const { location } = answer.headers
  const target = typeof location === 'string' ? URL.parse(location, from) : null
  if (!REDIRECTS.has(answer.status) || target === null || target.origin !== from.origin) return null
  const becomesGet = answer.status === 303 ? hop.method !== 'HEAD' : answer.status < 303 && hop.method === 'POST'
  if (!becomesGet) return isRepeatable(hop.body) ? { ...hop, url: target.href } : null
  const headers = Object.fromEntries(Object.entries(hop.headers).filter(([name]) => !/^content-/i.test(name)))
  return { url: target.href, method: 'GET', headers, body: undefined, contentLength: undefined }
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])

const ownHeadersRemoved = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name.toLowerCase())))

/** Headers that say where a request goes and where it ends: a caller that could set them could smuggle a second one. */
const OWN_HEADERS = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

type BodyOptions = { limits: StreamLimits; deadline: Deadline; decompress?: boolean }

const toResponse = async (
  answer: OpenExchange,
  url: URL,
  method: Method,
  { limits, deadline, decompress = false }: BodyOptions,
): Promise<StreamResponse> => {
  const headers = toHeaders(answer.headers)
  const { status } = answer
  const close = async () => {
    deadline.end()
    await answer.close()
  }
  let received = 0
  const response = { url: url.href, status, headers, bytesReceived: () => received }
  if (method === 'HEAD' || BODILESS.has(status)) {
    await close()
    return { ...response, body: new Blob([]).stream() }
  }
  const coding = decompress ? (headers.get('content-encoding') ?? '').trim().toLowerCase() : ''
  const isCoded = coding !== '' && coding !== 'identity'
  if (!isCoded && Number(headers.get('content-length') ?? 0) > limits.maxBytes) {
    await close()
    throw tooLarge(limits.maxBytes)
  }
  const raw = watched(answer.body, deadline.limit('idle', limits.idleMs), (count) => {
    received += count
  })
  deadline.unref()
  const pieces = limited(isCoded ? decoded(raw, coding) : raw, limits.maxBytes)
  if (isCoded) for (const name of ['content-encoding', 'content-length']) headers.delete(name)
  return { ...response, body: toReadableStream(pieces, deadline.signal, close) }
}

/** RFC 9110 §15.3.5, §15.3.6, §15.4.5. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304])

const toHeaders = (given: OpenExchange['headers']): Headers => {
  const headers = new Headers()
  for (const [name, values] of Object.entries(given))
    for (const value of [values ?? []].flat()) headers.append(name, value)
  return headers
}

/** Reads nothing ahead. The signal ends it also while nobody reads. */
const toReadableStream = (
  pieces: AsyncGenerator<Uint8Array>,
  signal: AbortSignal,
  close: () => Promise<void>,
): ReadableStream<Uint8Array> => {
  let onAbort = () => undefined as unknown
  const finish = async () => {
    signal.removeEventListener('abort', onAbort)
    await close()
  }
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        onAbort = () => {
          controller.error(signal.reason)
          return finish()
        }
        if (signal.aborted) void onAbort()
        else signal.addEventListener('abort', onAbort)
      },
      async pull(controller) {
        try {
          const next = await pieces.next()
          if (!next.done) return controller.enqueue(next.value)
        } catch (error) {
          await finish()
          throw signal.aborted ? signal.reason : error
        }
        await finish()
        controller.close()
      },
      cancel: finish,
    },
    { highWaterMark: 0 },
  )
}
