import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import type { Dispatcher } from 'undici'
import { type Fault, fault } from '../errors.ts'
import type { Secret } from '../secret.ts'
import { BlobError } from './blobs.ts'

export type S3ClientOptions = {
  endpoint: string
  bucket: string
  region: string
  accessKey: string
  secretKey: Secret
  retryMs?: number
}

export type S3Request = {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  /** Statuses that mean something to the caller; any other below 500 is `refused`. */
  expect: readonly number[]
  /** Absent for the bucket itself. */
  object?: string
  query?: Record<string, string>
  headers?: Record<string, string>
  /** Opened anew for each attempt. */
  body?: { open: () => Readable; size: number; sha256: string }
}

/** An answer with an expected status. Read its body or discard it, or the connection stays busy. */
export type S3Response = {
  status: number
  header(name: string): string | undefined
  body: Readable
  discard(): Promise<void>
}

export type S3Client = {
  send(request: S3Request): Promise<S3Response>
  /** As `send`, and reads the answer; an answer that is cut is asked for again. */
  sendForText(request: S3Request): Promise<string>
  close(): Promise<void>
}

const ATTEMPTS = 4
const FIRST_RETRY_MS = 100
const CONNECTIONS = 32
const CONNECT_TIMEOUT_MS = 5_000
// The store is near by; silence for this long means it is away.
const SILENCE_TIMEOUT_MS = 10_000
// After this no further attempt starts: the caller has a limit too.
const RETRY_BUDGET_MS = 10_000
// A listing page has 1000 keys of about 300 bytes.
const MAX_TEXT_BYTES = 4 * 2 ** 20
const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** Any failure to reach the object store, as the kit reports it. */
export const unavailable = (cause: unknown): Fault => fault('unavailable', { retryAfterSeconds: 5 }, cause)

/**
 * Signed requests to an S3-compatible store named by the operator. Every request may be repeated safely, so cut
 * connections, 429 and 5xx are tried again with growing pauses; then it is `unavailable`.
 */
export const createS3Client = (options: S3ClientOptions): S3Client => {
  const agent = openAgent()

  const attempt = async (request: S3Request): Promise<S3Response> => {
    const { url, headers } = await sign(options, request)
    const length: Record<string, string> = request.body ? { 'content-length': String(request.body.size) } : {}
    const body = request.body?.open()
    try {
      const response = await (await agent).request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: request.method,
        headers: { ...Object.fromEntries(headers), ...length },
        body: body ?? null,
      })
      return await accept(response, request.expect)
    } catch (error) {
      body?.destroy()
      throw error
    }
  }

  const retry = async <R>(work: () => Promise<R>): Promise<R> => {
    const start = performance.now()
    for (let count = 1; ; count += 1) {
      try {
        return await work()
      } catch (error) {
        if (error instanceof BlobError) throw error
        if (count === ATTEMPTS || performance.now() - start > RETRY_BUDGET_MS) throw unavailable(error)
      }
      await sleep((options.retryMs ?? FIRST_RETRY_MS) * 2 ** (count - 1) * (0.5 + Math.random()))
    }
  }

  return {
    send: (request) => retry(() => attempt(request)),
    sendForText: (request) => retry(async () => readText((await attempt(request)).body)),
    close: async () => (await agent).destroy(),
  }
}

/** Services that keep their blobs in a folder never load it. */
const openAgent = async () => {
  const { Agent } = await import('../egress/undici.ts')
  return new Agent({
    connections: CONNECTIONS,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: SILENCE_TIMEOUT_MS,
    bodyTimeout: SILENCE_TIMEOUT_MS,
  })
}

const sign = async (options: S3ClientOptions, { method, object, query, headers, body }: S3Request) => {
  const url = new URL(options.endpoint)
  url.pathname = [url.pathname.replace(/\/$/, ''), options.bucket, ...(object ? [object] : [])].join('/')
  url.search = new URLSearchParams(query).toString()
  const signer = new AwsV4Signer({
    url: url.href,
    method,
    headers: { ...headers, 'x-amz-content-sha256': body?.sha256 ?? EMPTY_SHA256 },
    accessKeyId: options.accessKey,
    secretAccessKey: options.secretKey.reveal(),
    region: options.region,
    service: 's3',
  })
  return signer.sign()
}

const accept = async (response: Dispatcher.ResponseData, expect: readonly number[]): Promise<S3Response> => {
  const { statusCode, headers, body } = response
  if (statusCode >= 500 || statusCode === 429) {
    await body.dump()
    throw new Error(`object store answered ${statusCode}`)
  }
  // A bucket that is not there is a 404 too, and must not look like a missing object.
  const code = statusCode < 300 ? undefined : /<Code>(\w{1,64})<\/Code>/.exec(await readText(body))?.[1]
  if (!expect.includes(statusCode) || code === 'NoSuchBucket') {
    throw new BlobError(
      'refused',
      `object store answered ${statusCode} (${code ?? 'no code'}): check the OBJECT_* settings`,
    )
  }
  return {
    status: statusCode,
    header: (name) => {
      const value = headers[name]
      return Array.isArray(value) ? value[0] : value
    },
    body,
    discard: () => body.dump(),
  }
}

const readText = async (body: Readable): Promise<string> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > MAX_TEXT_BYTES) throw new BlobError('refused', 'object store sent too much text')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
