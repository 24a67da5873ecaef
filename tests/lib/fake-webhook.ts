import { once } from 'node:events'
import http, { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import type { TestCertificate } from './certificate.ts'
import { until } from './waiting.ts'

/**
 * What the receiver does with the next request. `hang` keeps it and never answers; `cut` ends the connection before
 * the event counts as received, or after, without an answer.
 */
export type WebhookAction = {
  status?: number
  headers?: Record<string, string>
  body?: string
  delayMs?: number
  hang?: true
  cut?: 'before-effect' | 'after-effect'
}

export type ReceivedWebhook = {
  id: string
  timestamp: number
  path: string
  headers: IncomingHttpHeaders
  /** The bytes as they came. */
  body: Buffer
  /** The body, parsed as JSON. */
  json: unknown
}

export type FakeWebhookOptions = {
  /** Secrets that a signature may be made with, `whsec_…`. */
  secrets?: readonly string[]
  host?: string
  /** Serves https with this certificate. */
  certificate?: TestCertificate
  /** The name in `url` instead of the address. */
  name?: string
  /** The prefix of the header names: `webhook` by default, or `svix`. */
  headerPrefix?: string
  /** Needed when the sender's clock is not the real one. */
  now?: () => Date
}

export type FakeWebhook = {
  /** Without a trailing slash: add any path. */
  readonly url: string
  readonly port: number
  /** Verified events, oldest first. */
  readonly received: readonly ReceivedWebhook[]
  /** Why requests were turned away: method, type, signature or age. A test should find it empty. */
  readonly problems: readonly string[]
  /** Requests that are being held by `hang` or `delayMs`. */
  pending(): number
  /** Replaces the accepted secrets. */
  trust(...secrets: readonly string[]): void
  /** A list is used up one action per request; a function decides each time. Otherwise the answer is 204. */
  script(
    actions: readonly WebhookAction[] | ((request: { path: string; id: string }) => WebhookAction | undefined),
  ): void
  /** Resolves when that many events have been received. */
  waitFor(count: number): Promise<readonly ReceivedWebhook[]>
  close(): Promise<void>
}

/** A webhook receiver on loopback that verifies each request with the reference library. */
export const startFakeWebhook = async (options: FakeWebhookOptions = {}): Promise<FakeWebhook> => {
  const host = options.host ?? '127.0.0.1'
  const received: ReceivedWebhook[] = []
  const problems: string[] = []
  let secrets: readonly string[] = options.secrets ?? []
  let decide: (request: { path: string; id: string }) => WebhookAction | undefined = () => undefined
  let pending = 0

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const event = await read(request, options.headerPrefix ?? 'webhook')
    const problem = problemOf(request, event, secrets, options.now)
    if (problem) {
      problems.push(problem)
      return void response.writeHead(401).end(problem)
    }
    const action = decide({ path: event.path, id: event.id }) ?? {}
    pending += 1
    response.on('close', () => {
      pending -= 1
    })
    if (action.cut === 'before-effect') return void request.socket.destroy()
    received.push(event)
    if (action.cut === 'after-effect') return void request.socket.destroy()
    if (action.hang) return
    if (action.delayMs) await sleep(action.delayMs)
    response.writeHead(action.status ?? 204, action.headers).end(action.body)
  }
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    handle(request, response).catch((error: unknown) => problems.push(String(error)))
  }
  const server = options.certificate ? https.createServer(options.certificate, listener) : http.createServer(listener)
  server.listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the webhook fake has no port')

  return {
    url: `${options.certificate ? 'https' : 'http'}://${options.name ?? host}:${address.port}`,
    port: address.port,
    received,
    problems,
    pending: () => pending,
    trust(...trusted) {
      secrets = trusted
    },
    script(actions) {
      const left = typeof actions === 'function' ? [] : [...actions]
      decide = typeof actions === 'function' ? actions : () => left.shift()
    },
    async waitFor(count) {
      const isThere = () => received.length >= count
      await until(isThere, () => `${received.length} of ${count} events came: ${problems.join('; ')}`)
      return received
    },
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

type ReceivedEvent = ReceivedWebhook & { signature: string }

const read = async (request: IncomingMessage, prefix: string): Promise<ReceivedEvent> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  const header = (name: string) => String(request.headers[`${prefix}-${name}`] ?? '')
  return {
    id: header('id'),
    timestamp: Number(header('timestamp')),
    signature: header('signature'),
    path: request.url ?? '/',
    headers: request.headers,
    body,
    json: parseJson(body),
  }
}

const parseJson = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

const problemOf = (
  request: IncomingMessage,
  event: ReceivedEvent,
  secrets: readonly string[],
  now: (() => Date) | undefined,
): string | null => {
  if (request.method !== 'POST') return `method ${request.method}`
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) return 'content-type is not JSON'
  if (event.json === undefined) return 'body is not JSON'
  const reasons = secrets.map((secret) => (now ? verifyAt(event, secret, now()) : verify(event, secret)))
  return reasons.includes(null) ? null : (reasons[0] ?? 'no secret is trusted')
}

const verify = (event: ReceivedEvent, secret: string): string | null => {
  try {
    new Webhook(secret).verify(event.body, {
      'webhook-id': event.id,
      'webhook-timestamp': String(event.timestamp),
      'webhook-signature': event.signature,
    })
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const TOLERANCE_SECONDS = 300

/** The library only knows the real clock: with another one, its signature is compared and the age checked here. */
const verifyAt = (event: ReceivedEvent, secret: string, now: Date): string | null => {
  const signature = new Webhook(secret).sign(event.id, new Date(event.timestamp * 1_000), event.body)
  if (!event.signature.split(' ').includes(signature)) return 'No matching signature found'
  const age = Math.abs(now.getTime() / 1_000 - event.timestamp)
  return age <= TOLERANCE_SECONDS ? null : `Message timestamp is ${age} seconds off`
}
