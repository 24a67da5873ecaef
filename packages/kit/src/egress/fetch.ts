import type { Egress } from './egress.ts'
import { EgressFailed } from './errors.ts'
import { type Method, methods } from './methods.ts'
import { BODILESS, type StreamRequest } from './stream.ts'
import type { UploadBody } from './upload.ts'

export type EgressFetchOptions = Pick<StreamRequest, 'limits' | 'privateHosts' | 'redirects'>

/**
 * A `fetch` over the egress, for libraries that take one. Its limits are those given here; bodies are streamed both
 * ways; answers that come compressed are unpacked, as fetch does. It throws what `Egress.stream` throws, or the
 * signal's reason, both from the call and from reading the body. Redirects that are not followed are answers.
 */
export const createEgressFetch =
  (egress: Pick<Egress, 'stream'>, options: EgressFetchOptions = {}): typeof globalThis.fetch =>
  async (input, init) => {
    const request = await toStreamRequest(input, init)
    const { url, status, statusText, headers, body } = await egress.stream({ ...options, ...request })
    if (init?.redirect === 'error' && status >= 300 && status < 400 && headers.has('location')) {
      await body.cancel()
      throw new EgressFailed('protocol', new Error('the target answered with a redirect'))
    }
    if (status < 200 || status > 599) {
      await body.cancel()
      throw new EgressFailed('protocol', new Error(`the target answered ${status}`))
    }
    const response = new Response(BODILESS.has(status) ? null : body, { status, statusText, headers })
    return Object.defineProperty(response, 'url', { value: url })
  }

const toStreamRequest = async (
  input: string | URL | Request,
  init: RequestInit | undefined,
): Promise<Omit<StreamRequest, 'limits' | 'privateHosts'>> => {
  // Reads members, default content type and every kind of body as fetch does; nothing is sent by it.
  const isRequest = typeof input === 'object' && !(input instanceof URL)
  const read = new Request(input, Object.assign({ duplex: 'half' }, init))
  const signal = init?.signal ?? (isRequest ? input.signal : null)
  const headers = { 'accept-encoding': 'identity', ...Object.fromEntries(read.headers) }
  const body = read.body === null ? undefined : await toUpload(read, init?.body)
  const contentLength = toLength(read.headers.get('content-length'))
  return {
    url: read.url,
    method: toMethod(read.method),
    headers,
    decompress: true,
    ...(signal === null ? {} : { signal }),
    ...(body === undefined ? {} : { body }),
    ...(contentLength === undefined ? {} : { contentLength }),
  }
}

const toMethod = (text: string): Method => {
  const method = methods.find((known) => known === text)
  if (method === undefined) throw new TypeError(`The method ${text} is not supported`)
  return method
}

const toLength = (text: string | null): number | undefined =>
  text !== null && /^\d+$/.test(text) ? Number(text) : undefined

/** Only what is a stream to begin with is streamed: everything else has a length, which some services insist on. */
const toUpload = async (read: Request, given: RequestInit['body']): Promise<UploadBody> => {
  const { body } = read
  if (body === null) return ''
  if (given instanceof ReadableStream || isAsyncIterable(given)) return body
  if (given !== undefined) return new Uint8Array(await read.arrayBuffer())
  return beginning(body)
}

/** A `Request` doesn't say what it was made of: one that ends soon was no stream. */
const beginning = async (body: ReadableStream<Uint8Array>): Promise<UploadBody> => {
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  while (size <= SMALL_BODY_BYTES) {
    const next = await reader.read()
    if (next.done) return Buffer.concat(chunks)
    chunks.push(next.value)
    size += next.value.length
  }
  reader.releaseLock()
  return followedBy(chunks, body)
}

const SMALL_BODY_BYTES = 65_536

async function* followedBy(first: readonly Uint8Array[], rest: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* first
  yield* rest
}

const isAsyncIterable = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value
