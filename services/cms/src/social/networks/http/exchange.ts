import { randomBytes } from 'node:crypto'
import type { Egress } from '@stoa/kit/egress/egress.ts'
import { EgressFailed, EgressRefused } from '@stoa/kit/egress/errors.ts'
import type { Endpoints } from '../network.ts'
import { NetworkFailure } from './failure.ts'
import {
  type FormPart,
  LineCut,
  type NetworkBody,
  type NetworkHttp,
  type NetworkReply,
  type NetworkRequest,
} from './http.ts'

const TIMEOUT_MS = 15_000
const MAX_REPLY_BYTES = 2 ** 20

/**
 * The way to one network. Tokens go to the origins of its endpoints only, and to addresses that it handed out; an admin
 * vouches for what is set in place of the network's own, so that a server inside can be reached. Nothing is followed.
 */
export const createNetworkHttp = (
  egress: Pick<Egress, 'stream'>,
  endpoints: Endpoints,
  signal?: AbortSignal,
): NetworkHttp => {
  const known = [endpoints.tokenUrl, endpoints.apiBase, endpoints.uploadBase].filter((url) => url !== '')
  const origins = new Set(known.map((url) => new URL(url).origin))
  const privateHosts = known.map((url) => hostAndPort(new URL(url)))

  return async (request) => {
    const url = withQuery(request)
    if (!origins.has(url.origin)) {
      if (!request.isHandedOut) throw new TypeError(`${url.origin} isn't one of the network's own URLs`)
      if (request.authorization && url.protocol !== 'https:') throw addressRefused("The URL isn't an https URL")
    }
    const upload = request.body && toUpload(request.body)
    const timeoutMs = request.timeoutMs ?? TIMEOUT_MS
    try {
      const answer = await egress.stream({
        url: url.href,
        method: request.method ?? (request.body ? 'POST' : 'GET'),
        headers: {
          accept: 'application/json',
          'user-agent': 'stoa-cms-social/1',
          ...(upload && { 'content-type': upload.type }),
          ...request.headers,
          ...(request.authorization && {
            authorization: `${request.authorization.scheme} ${request.authorization.value.reveal()}`,
          }),
        },
        ...(upload && { body: upload.body, contentLength: upload.length }),
        limits: { headersMs: timeoutMs, idleMs: timeoutMs, totalMs: timeoutMs, maxBytes: MAX_REPLY_BYTES },
        privateHosts,
        decompress: true,
        ...(signal && { signal }),
      })
      return await toReply(answer)
    } catch (error) {
      if (error instanceof EgressRefused) throw addressRefused(error.publicMessage)
      if (error instanceof EgressFailed || isTimeUp(signal)) throw new LineCut(error)
      throw error
    }
  }
}

/** A caller's limit may end before ours. One that stops for another reason is told that reason. */
const isTimeUp = (signal?: AbortSignal): boolean =>
  signal?.reason instanceof DOMException && signal.reason.name === 'TimeoutError'

const addressRefused = (message: string) => new NetworkFailure({ kind: 'config', code: 'ADDRESS_REFUSED', message })

const hostAndPort = (url: URL): string => `${url.hostname}:${url.port || (url.protocol === 'http:' ? '80' : '443')}`

const withQuery = ({ url, query = {} }: NetworkRequest): URL => {
  const target = new URL(url)
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) target.searchParams.append(name, String(value))
  return target
}

const toReply = async (answer: Awaited<ReturnType<Egress['stream']>>): Promise<NetworkReply> => {
  const text = await new Response(answer.body).text()
  return { status: answer.status, headers: answer.headers, text, json: parseJson(text) }
}

/** Without the one character that the database cannot keep. */
const parseJson = (text: string): unknown => {
  const withoutNul = (_key: string, value: unknown) => (typeof value === 'string' ? value.replaceAll('\0', '') : value)
  try {
    return text.includes('\\u0000') ? JSON.parse(text, withoutNul) : JSON.parse(text)
  } catch {
    return undefined
  }
}

type Upload = { body: Uint8Array | AsyncIterable<Uint8Array>; length: number; type: string }

const toUpload = (body: NetworkBody): Upload => {
  if ('form' in body) return textUpload(new URLSearchParams(given(body.form)).toString(), FORM)
  if ('json' in body) return textUpload(JSON.stringify(body.json), 'application/json')
  if ('multipart' in body) return multipart(body.multipart)
  return { body: body.bytes, length: body.length, type: body.type }
}

const FORM = 'application/x-www-form-urlencoded'

const textUpload = (text: string, type: string): Upload => {
  const body = Buffer.from(text)
  return { body, length: body.length, type }
}

const given = (members: Readonly<Record<string, string | undefined>>): [string, string][] =>
  Object.entries(members).filter((member): member is [string, string] => member[1] !== undefined)

/** RFC 7578. */
const multipart = (parts: readonly FormPart[]): Upload => {
  const boundary = `stoa-${randomBytes(18).toString('hex')}`
  const heads = parts.map((part) => Buffer.from(`--${boundary}\r\n${headOf(part)}\r\n\r\n`))
  const end = Buffer.from(`--${boundary}--\r\n`)
  const bodies = parts.map((part) => ('value' in part ? Buffer.from(part.value) : part))
  const length =
    heads.reduce((sum, head, index) => sum + head.length + (bodies[index]?.length ?? 0) + 2, 0) + end.length
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for (const [index, head] of heads.entries()) {
      const body = bodies[index]
      yield head
      if (body instanceof Uint8Array) yield body
      else if (body?.bytes instanceof Uint8Array) yield body.bytes
      else if (body) yield* body.bytes
      yield Buffer.from('\r\n')
    }
    yield end
  }
  return { body: bytes(), length, type: `multipart/form-data; boundary=${boundary}` }
}

const headOf = (part: FormPart): string => {
  const name = `Content-Disposition: form-data; name="${quoted(part.name)}"`
  return 'value' in part ? name : `${name}; filename="${quoted(part.filename)}"\r\nContent-Type: ${part.type}`
}

/** RFC 7578 §4.2, escaped as browsers do. */
const quoted = (text: string): string => text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
