import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type S3Refusal, verifySigV4 } from './sigv4.ts'

export type FakeS3Options = {
  bucket?: string
  region?: string
  accessKey?: string
  secretKey?: string
  /** The server's clock; for tests of clock skew. */
  now?: () => Date
  /** Upper limit of keys per listing page, to see paging with few objects. */
  pageSize?: number
}

export type FakeS3Object = { bytes: Buffer; modifiedAt: Date }
export type FakeS3Request = { method: string; key: string; status: number | 'cut'; code?: string }

export type FakeS3Failure = {
  match?: (request: { method: string; key: string }) => boolean
  /** Answers with this status and does nothing. */
  status?: number
  delayMs?: number
  /** Carries it out, and answers, once this is settled. */
  until?: () => Promise<void>
  /** Cuts the connection before the effect, or after it and before the answer is complete. */
  cut?: 'before' | 'after'
  /** How many requests it affects; default 1. */
  times?: number
}

export type FakeS3 = {
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKey: string
  readonly secretKey: string
  /** The stored objects by key; tests may look and damage. */
  readonly objects: Map<string, FakeS3Object>
  /** The requests so far, oldest first. */
  readonly requests: FakeS3Request[]
  fail(failure: FakeS3Failure): void
  close(): Promise<void>
}

/** A strict S3 on loopback: path style, SigV4 checked on each request, five operations, scripted failures. */
export const startFakeS3 = async (options: FakeS3Options = {}): Promise<FakeS3> => {
  const store: Store = {
    bucket: options.bucket ?? 'bucket',
    region: options.region ?? 'us-east-1',
    accessKey: options.accessKey ?? 'AKIAFAKE',
    secretKey: options.secretKey ?? 'fake-secret-key',
    now: options.now ?? (() => new Date()),
    pageSize: options.pageSize ?? MAX_KEYS,
    objects: new Map(),
    requests: [],
    failures: [],
  }
  const server = createServer((request, response) => {
    // A cut connection rejects the reading of a body; the other side knows already.
    handle(store, request, response).catch(() => request.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the fake S3 has no port')
  const { bucket, region, accessKey, secretKey, objects, requests } = store
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    bucket,
    region,
    accessKey,
    secretKey,
    objects,
    requests,
    fail: (failure) => store.failures.push({ ...failure, left: failure.times ?? 1 }),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const MAX_KEYS = 1000
const MAX_OBJECT_BYTES = 256 * 2 ** 20

type Store = {
  bucket: string
  region: string
  accessKey: string
  secretKey: string
  now: () => Date
  pageSize: number
  objects: Map<string, FakeS3Object>
  requests: FakeS3Request[]
  failures: (FakeS3Failure & { left: number })[]
}
type Answer = { status: number; headers?: Record<string, string>; body?: Buffer | string; code?: string }
type Call = {
  method: string
  bucket: string
  key: string
  query: URLSearchParams
  request: IncomingMessage
  body: Buffer
}

const handle = async (store: Store, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const method = request.method ?? ''
  const { bucket, key, query } = parseTarget(request.url ?? '')
  const failure = takeFailure(store, { method, key })
  if (failure?.delayMs) await sleep(failure.delayMs)
  await failure?.until?.()
  if (failure?.cut === 'before') {
    store.requests.push({ method, key, status: 'cut' })
    request.socket.destroy()
    return
  }
  const body = await readBody(request)
  const answer = failure?.status
    ? refuse(failure.status, 'ScriptedFailure', 'as the test asked')
    : answerTo(store, { method, bucket, key, query, request, body })
  const isCut = failure?.cut === 'after'
  store.requests.push({ method, key, status: isCut ? 'cut' : answer.status, ...(answer.code && { code: answer.code }) })
  send(response, answer, method === 'HEAD', isCut)
}

const takeFailure = (store: Store, request: { method: string; key: string }): FakeS3Failure | undefined => {
  const failure = store.failures.find(({ left, match }) => left > 0 && (match?.(request) ?? true))
  if (failure) failure.left -= 1
  return failure
}

const answerTo = (store: Store, call: Call): Answer => {
  const { rawHeaders, url = '' } = call.request
  const refusal = verifySigV4(
    { method: call.method, target: url, rawHeaders },
    {
      secretOf: (accessKey) => (accessKey === store.accessKey ? store.secretKey : undefined),
      region: store.region,
      service: 's3',
      now: store.now(),
    },
  )
  const problem = refusal ?? checkPayload(call)
  if (problem) return refuse(problem.status, problem.code, problem.message)
  if (call.bucket !== store.bucket) return refuse(404, 'NoSuchBucket', 'there is no such bucket')
  if (call.key === '') return call.method === 'GET' ? listObjects(store, call.query) : notImplemented()
  if (call.query.size > 0) return notImplemented()
  const operation = OPERATIONS[call.method]
  return operation ? operation(store, call) : notImplemented()
}

const checkPayload = ({ method, request, body }: Call): S3Refusal | null => {
  const claimed = request.headers['x-amz-content-sha256']
  if (claimed === undefined) return { status: 400, code: 'InvalidRequest', message: 'x-amz-content-sha256 is missing' }
  if (method === 'PUT' && request.headers['content-length'] === undefined) {
    return { status: 411, code: 'MissingContentLength', message: 'Content-Length is missing' }
  }
  if (claimed === createHash('sha256').update(body).digest('hex')) return null
  return { status: 400, code: 'XAmzContentSHA256Mismatch', message: 'the body is not what was signed' }
}

const putObject = (store: Store, { key, body }: Call): Answer => {
  store.objects.set(key, { bytes: body, modifiedAt: store.now() })
  return { status: 200, headers: { etag: etagOf(body) } }
}

const getObject = (store: Store, { key, request }: Call): Answer => {
  const object = store.objects.get(key)
  if (!object) return refuse(404, 'NoSuchKey', 'there is no such key')
  const headers = {
    etag: etagOf(object.bytes),
    'last-modified': object.modifiedAt.toUTCString(),
    'accept-ranges': 'bytes',
    'content-type': 'application/octet-stream',
  }
  const rangeText = request.headers.range
  if (rangeText === undefined) return { status: 200, headers, body: object.bytes }
  const range = parseRange(rangeText, object.bytes.length)
  if (!range) return refuse(416, 'InvalidRange', 'the range is outside of the object')
  return {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${range.start}-${range.end}/${object.bytes.length}` },
    body: object.bytes.subarray(range.start, range.end + 1),
  }
}

const deleteObject = (store: Store, { key }: Call): Answer => {
  store.objects.delete(key)
  return { status: 204 }
}

const OPERATIONS: Readonly<Record<string, (store: Store, call: Call) => Answer>> = {
  PUT: putObject,
  GET: getObject,
  HEAD: getObject,
  DELETE: deleteObject,
}

const LIST_PARAMETERS = new Set(['list-type', 'prefix', 'max-keys', 'continuation-token', 'start-after'])

const listObjects = (store: Store, query: URLSearchParams): Answer => {
  const isKnown = [...query.keys()].every((name) => LIST_PARAMETERS.has(name))
  if (query.get('list-type') !== '2' || !isKnown) return notImplemented()
  const prefix = query.get('prefix') ?? ''
  const token = query.get('continuation-token')
  const after = token === null ? (query.get('start-after') ?? '') : Buffer.from(token, 'base64url').toString()
  const limit = Math.min(Number(query.get('max-keys') ?? MAX_KEYS), store.pageSize)
  const found = [...store.objects]
    .filter(([key]) => key.startsWith(prefix) && key > after)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const page = found.slice(0, limit)
  const isTruncated = found.length > page.length
  const next = isTruncated ? Buffer.from(page.at(-1)?.[0] ?? '').toString('base64url') : undefined
  const contents = page.map(
    ([key, { bytes, modifiedAt }]) =>
      `<Contents><Key>${escapeXml(key)}</Key><LastModified>${modifiedAt.toISOString()}</LastModified>` +
      `<ETag>${escapeXml(etagOf(bytes))}</ETag><Size>${bytes.length}</Size><StorageClass>STANDARD</StorageClass></Contents>`,
  )
  const body =
    `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">` +
    `<Name>${store.bucket}</Name><Prefix>${escapeXml(prefix)}</Prefix><KeyCount>${page.length}</KeyCount>` +
    `<MaxKeys>${limit}</MaxKeys><IsTruncated>${isTruncated}</IsTruncated>${contents.join('')}` +
    `${next ? `<NextContinuationToken>${next}</NextContinuationToken>` : ''}</ListBucketResult>`
  return { status: 200, headers: { 'content-type': 'application/xml' }, body }
}

const parseTarget = (target: string): { bucket: string; key: string; query: URLSearchParams } => {
  const [path = '', query = ''] = target.split('?', 2)
  const [, bucket = '', ...rest] = path.split('/')
  return { bucket, key: rest.map(decodeURIComponent).join('/'), query: new URLSearchParams(query) }
}

const parseRange = (text: string, size: number): { start: number; end: number } | null => {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(text) ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return null
  if (first === '')
    return size === 0 || last === '0' ? null : { start: Math.max(0, size - Number(last)), end: size - 1 }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  return start < size && start <= end ? { start, end } : null
}

const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > MAX_OBJECT_BYTES) throw new Error('larger than the fake S3 takes')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const send = (response: ServerResponse, answer: Answer, isHead: boolean, isCut: boolean): void => {
  const body = Buffer.from(answer.body ?? '')
  const length: Record<string, number> = answer.status === 204 ? {} : { 'content-length': body.length }
  response.writeHead(answer.status, { 'x-amz-request-id': 'FAKE', ...answer.headers, ...length })
  if (!isCut) {
    response.end(isHead ? undefined : body)
    return
  }
  // Half of a body, or not even the head when there is none, then nothing.
  if (body.length > 1 && !isHead)
    response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.socket?.destroy())
  else response.socket?.destroy()
}

const refuse = (status: number, code: string, message: string): Answer => ({
  status,
  code,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${escapeXml(message)}</Message></Error>`,
})

const notImplemented = (): Answer => refuse(501, 'NotImplemented', 'the fake S3 does not do this')

const etagOf = (bytes: Buffer): string => `"${createHash('md5').update(bytes).digest('hex')}"`

const escapeXml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
