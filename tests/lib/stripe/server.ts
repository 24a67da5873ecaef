import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { creditNoteRoutes } from './credit-notes.ts'
import { customerRoutes } from './customers.ts'
import { eventRoutes } from './events.ts'
import { expandAnswer } from './expand.ts'
import { invalid, type StripeErrorBody, StripeFault } from './fault.ts'
import { type Form, parseForm } from './form.ts'
import { invoiceRoutes } from './invoices.ts'
import { methodRoutes } from './methods.ts'
import { paymentRoutes } from './payments.ts'
import { previewRoutes } from './preview.ts'
import { priceRoutes } from './prices.ts'
import { matchPath, type Route } from './route.ts'
import { scheduleRoutes } from './schedules.ts'
import { sessionRoutes } from './sessions.ts'
import { newId, nowOf, type Store } from './store.ts'
import { subscriptionRoutes } from './subscriptions.ts'
import { taxIdRoutes } from './tax-ids.ts'

const ROUTES: readonly Route[] = [
  ...previewRoutes,
  ...customerRoutes,
  ...taxIdRoutes,
  ...priceRoutes,
  ...methodRoutes,
  ...paymentRoutes,
  ...subscriptionRoutes,
  ...scheduleRoutes,
  ...invoiceRoutes,
  ...creditNoteRoutes,
  ...sessionRoutes,
  ...eventRoutes,
]

export type StripeRequest = {
  method: string
  path: string
  params: Form
  idempotencyKey: string | undefined
  status: number | 'cut'
  code?: string
  /** The answer was one that had been given before. */
  replayed?: true
}

/** A failure to inject into matching requests. */
export type StripeFailure = {
  match?: (request: Pick<StripeRequest, 'method' | 'path' | 'params' | 'idempotencyKey'>) => boolean
  /** Answers with this and does nothing. */
  status?: number
  error?: Partial<StripeErrorBody>
  /** Seconds, for 429 and 503. */
  retryAfter?: number
  /** Waits before it does anything; also when the caller has gone. */
  delayMs?: number
  /** Does it once this is settled; one that never is stalls. */
  until?: () => Promise<void>
  /** Does it, and answers once this is settled. */
  answerUntil?: () => Promise<void>
  /**
   * Cuts the line before it is done, or does it and cuts the line instead of an answer. The SDK retries once by itself,
   * with the same key, whatever its retry setting: only two cuts in a row are a loss for its caller.
   */
  cut?: 'before' | 'after'
  /** How many requests it affects; default 1. */
  times?: number
}

export type Gate = {
  store: Store
  secretKey: string
  requests: StripeRequest[]
  failures: (StripeFailure & { left: number })[]
  answers: Map<string, Stored>
}
type Answer = { status: number; body: object; headers?: Record<string, string> }
type Raw = { query: string; body: string }
type Stored = { fingerprint: string; at: number; answer: Answer | null }

const KEY_LIFETIME = 24 * 3600
const MAX_KEY = 255

/** One request of the API, with whatever was scripted for it. */
export const handleApi = async (gate: Gate, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const [path = '', query = ''] = (request.url ?? '').split('?', 2)
  const method = request.method ?? ''
  const body = await readText(request)
  const header = request.headers['idempotency-key']
  const idempotencyKey = typeof header === 'string' && method === 'POST' ? header : undefined
  const entry: StripeRequest = { method, path, params: safeForm(query, body), idempotencyKey, status: 'cut' }
  gate.requests.push(entry)
  const failure = takeFailure(gate, entry)
  if (failure?.delayMs) await sleep(failure.delayMs)
  if (failure?.cut === 'before') return void request.socket.destroy()
  const answer = await answerTo(gate, request, entry, { query, body }, failure)
  await failure?.answerUntil?.()
  if (failure?.cut === 'after') return void request.socket.destroy()
  entry.status = answer.status
  const code = (answer.body as { error?: StripeErrorBody }).error?.code
  if (code) entry.code = code
  if (answer.headers?.['idempotent-replayed']) entry.replayed = true
  send(response, answer, gate.store, idempotencyKey)
}

const safeForm = (query: string, body: string): Form => {
  try {
    return parseForm(body === '' ? query : body)
  } catch {
    return {}
  }
}

const takeFailure = (gate: Gate, request: StripeRequest): StripeFailure | undefined => {
  const failure = gate.failures.find(({ left, match }) => left > 0 && (match?.(request) ?? true))
  if (failure) failure.left -= 1
  return failure
}

const scripted = (failure: StripeFailure, status: number): Answer => ({
  status,
  body: {
    error: {
      type: status >= 500 ? 'api_error' : status === 402 ? 'card_error' : 'invalid_request_error',
      message: 'as the test asked',
      ...(status === 429 && { code: 'rate_limit' }),
      ...failure.error,
    },
  },
  headers: failure.retryAfter === undefined ? {} : { 'retry-after': String(failure.retryAfter) },
})

const answerTo = async (
  gate: Gate,
  request: IncomingMessage,
  entry: StripeRequest,
  raw: Raw,
  failure: StripeFailure | undefined,
): Promise<Answer> => {
  try {
    checkHead(gate, request, entry.method)
    if (failure?.status) return scripted(failure, failure.status)
    return await once(gate, entry, raw, failure)
  } catch (error) {
    return faultAnswer(error)
  }
}

const faultAnswer = (error: unknown): Answer => {
  if (!(error instanceof StripeFault)) throw error
  return { status: error.status, body: { error: structuredClone(error.body) } }
}

const checkHead = (gate: Gate, request: IncomingMessage, method: string): void => {
  const { authorization, 'stripe-version': version, 'content-type': type = '' } = request.headers
  if (authorization !== `Bearer ${gate.secretKey}`) {
    throw new StripeFault(401, { type: 'invalid_request_error', message: 'Invalid API Key provided' })
  }
  if (version !== gate.store.apiVersion) {
    throw invalid(`Invalid Stripe API version: ${String(version)}; the SDK sends ${gate.store.apiVersion}.`)
  }
  if (method === 'POST' && !type.startsWith('application/x-www-form-urlencoded')) {
    throw invalid(`Invalid request (check that your POST content type is application/x-www-form-urlencoded).`)
  }
}

/** With a key, a POST is carried out once: its answer is kept for a day. */
const once = async (gate: Gate, entry: StripeRequest, raw: Raw, failure?: StripeFailure): Promise<Answer> => {
  const { idempotencyKey: key } = entry
  const now = nowOf(gate.store)
  if (key === undefined) {
    await failure?.until?.()
    return carryOut(gate, entry, raw)()
  }
  if (key.length > MAX_KEY) throw invalid(`Idempotency keys may be ${MAX_KEY} characters long at most.`)
  const fingerprint = createHash('sha256')
    .update(`${entry.method} ${entry.path} ${raw.query} ${raw.body}`)
    .digest('hex')
  const known = gate.answers.get(key)
  if (known && now - known.at < KEY_LIFETIME) return replay(known, fingerprint, key)
  const kept: Stored = { fingerprint, at: now, answer: null }
  gate.answers.set(key, kept)
  try {
    await failure?.until?.()
    const run = carryOut(gate, entry, raw)
    kept.answer = attempt(run)
    return kept.answer
  } catch (error) {
    // Parameters that are wrong do not use up the key.
    gate.answers.delete(key)
    throw error
  }
}

const attempt = (run: () => Answer): Answer => {
  try {
    return run()
  } catch (error) {
    return faultAnswer(error)
  }
}

const replay = (known: Stored, fingerprint: string, key: string): Answer => {
  if (known.fingerprint !== fingerprint) {
    throw new StripeFault(400, {
      type: 'idempotency_error',
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    })
  }
  if (known.answer === null) {
    throw new StripeFault(409, {
      type: 'invalid_request_error',
      code: 'idempotency_key_in_use',
      message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
    })
  }
  return { ...known.answer, headers: { ...known.answer.headers, 'idempotent-replayed': 'true' } }
}

/** Refuses what is not understood; what is returned does it. */
const carryOut = (gate: Gate, entry: StripeRequest, raw: Raw): (() => Answer) => {
  const { store } = gate
  const { query, body } = raw
  if (entry.method === 'POST' && query !== '') throw invalid('Parameters of a POST belong into its body.')
  const form = parseForm(entry.method === 'POST' ? body : [query, body].filter((part) => part !== '').join('&'))
  for (const { method, path, prepare } of ROUTES) {
    const ids = method === entry.method ? matchPath(path, entry.path) : undefined
    if (!ids) continue
    const run = prepare(store, form, ids)
    const expand = Array.isArray(form.expand) ? form.expand.map(String) : []
    return () => {
      store.request = { id: newId('req', 14), idempotency_key: entry.idempotencyKey ?? null }
      try {
        return { status: 200, body: expandAnswer(store, run(), expand) }
      } finally {
        store.request = { id: null, idempotency_key: null }
      }
    }
  }
  throw new StripeFault(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${entry.method}: ${entry.path}).`,
  })
}

const MAX_BODY = 2 ** 20

const readText = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > MAX_BODY) throw new Error('larger than Stripe takes')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

const send = (response: ServerResponse, answer: Answer, store: Store, key: string | undefined): void => {
  const body = JSON.stringify(answer.body)
  response.writeHead(answer.status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'request-id': newId('req', 14),
    'stripe-version': store.apiVersion,
    ...(key !== undefined && { 'idempotency-key': key }),
    ...answer.headers,
  })
  response.end(body)
}
