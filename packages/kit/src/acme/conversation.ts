import { z } from 'zod'
import type { Egress, EgressResponse } from '../egress/egress.ts'
import { EgressFailed, EgressRefused } from '../egress/errors.ts'
import { AuthorityError, type AuthorityProblem } from './errors.ts'
import type { AccountKey } from './signed.ts'

export type ConversationOptions = {
  /** Where the authority says what it can do. */
  directory: string
  egress: Pick<Egress, 'request'>
  key: AccountKey
  /** Null: the authority does not know the account yet. */
  accountUrl: string | null
  now: () => Date
}

export type AcmeResponse = { text: string; headers: Headers; retryAt: Date | null }
export type ParsedResponse<T> = AcmeResponse & { value: T }

const directoryShape = z.object({ newNonce: z.url(), newAccount: z.url(), newOrder: z.url() })
const problemShape = z.object({ type: z.string().default(''), detail: z.string().default('') })

const TIMEOUT_MS = 20_000
const MAX_BYTES = 262_144
/** A nonce may have become too old meanwhile, which the answer puts right (RFC 8555 §6.5). */
const NONCE_TRIES = 3
const MAX_SHOWN = 300

/** Requests to an authority: its directory, its nonces, and signed requests. */
export const createConversation = (options: ConversationOptions) => {
  const { egress, key } = options
  let nonce: string | null = null
  let known: z.output<typeof directoryShape> | undefined
  let kid = options.accountUrl

  const exchange = async (
    method: 'GET' | 'HEAD' | 'POST',
    url: string,
    signal: AbortSignal,
    body?: string,
  ): Promise<EgressResponse> => {
    try {
      const answer = await egress.request({
        method,
        url,
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_BYTES,
        signal,
        headers: {
          'user-agent': 'stoa/1',
          accept: 'application/json, application/pem-certificate-chain',
          ...(body !== undefined && { 'content-type': 'application/jose+json' }),
        },
        ...(body !== undefined && { body }),
      })
      nonce = headerOf(answer, 'replay-nonce') ?? nonce
      return answer
    } catch (error) {
      if (error instanceof EgressFailed || error instanceof EgressRefused)
        throw new AuthorityError('unavailable', `The certificate authority couldn't be reached (${error.reason}).`, {
          cause: error,
        })
      throw error
    }
  }
  const readDirectory = async (signal: AbortSignal) =>
    parse(directoryShape, checked(await exchange('GET', options.directory, signal), options.now()).text)
  const directory = async (signal: AbortSignal) => {
    known ??= await readDirectory(signal)
    return known
  }
  const takeNonce = async (signal: AbortSignal): Promise<string> => {
    if (nonce === null) checked(await exchange('HEAD', (await directory(signal)).newNonce, signal), options.now())
    const taken = nonce
    nonce = null
    if (taken === null) throw new AuthorityError('unavailable', "The certificate authority didn't send a nonce.")
    return taken
  }
  const post = async (
    url: string,
    payload: object | null,
    signal: AbortSignal,
    { isNew = false }: { isNew?: boolean } = {},
  ): Promise<AcmeResponse> => {
    for (let tried = 1; ; tried += 1) {
      const body = key.signed({ url, nonce: await takeNonce(signal), kid: isNew ? null : kid, payload })
      const answer = await exchange('POST', url, signal, body)
      if (tried < NONCE_TRIES && saidOf(answer).type.endsWith(':badNonce')) continue
      const good = checked(answer, options.now())
      if (isNew) kid = good.headers.get('location')
      return good
    }
  }
  return {
    directory,
    readDirectory,
    post,
    /** A signed request whose answer is JSON of this shape; without payload it reads. */
    async ask<S extends z.ZodType>(
      shape: S,
      url: string,
      payload: object | null,
      signal: AbortSignal,
    ): Promise<ParsedResponse<z.output<S>>> {
      const answer = await post(url, payload, signal)
      return { ...answer, value: parse(shape, answer.text) }
    },
  }
}

const headerOf = ({ headers }: EgressResponse, name: string): string | null => {
  const value = headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? null
}

/** The answer if it is one of success. */
const checked = (answer: EgressResponse, now: Date): AcmeResponse => {
  const { status } = answer
  const retryAt = retryTime(headerOf(answer, 'retry-after'), now)
  if (status < 200 || status > 299) {
    const said = saidOf(answer)
    const text = said.detail.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').slice(0, MAX_SHOWN)
    throw new AuthorityError(problemKind(status, said.type), text || `The certificate authority returned ${status}.`, {
      retryAt,
    })
  }
  if (answer.truncated) throw new AuthorityError('unavailable', "The certificate authority's response is too long.")
  const headers = new Headers()
  for (const name of ['location', 'content-type']) {
    const value = headerOf(answer, name)
    if (value !== null) headers.set(name, value)
  }
  return { text: answer.body.toString(), headers, retryAt }
}

const problemKind = (status: number, type: string): AuthorityProblem => {
  if (status === 429 || type.endsWith(':rateLimited') || status === 503) return 'busy'
  if (type.endsWith(':accountDoesNotExist')) return 'unknown_account'
  // RFC 8555 §6.7: a problem of ours has a type; without one it is something between us that answers.
  return status >= 500 || !type.startsWith('urn:ietf:params:acme:error:') ? 'unavailable' : 'refused'
}

const saidOf = ({ status, body }: EgressResponse): z.output<typeof problemShape> => {
  const parsed = status < 400 ? undefined : problemShape.safeParse(readJson(body.toString())).data
  return parsed ?? { type: '', detail: '' }
}

const parse = <S extends z.ZodType>(shape: S, text: string): z.output<S> => {
  const parsed = shape.safeParse(readJson(text))
  if (parsed.success) return parsed.data
  throw new AuthorityError('unavailable', 'The certificate authority sent an invalid response.')
}

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** RFC 9110 §10.2.3: seconds, or a date. */
const retryTime = (value: string | null, now: Date): Date | null => {
  if (value === null) return null
  const at = /^\d{1,9}$/.test(value) ? now.getTime() + Number(value) * 1_000 : Date.parse(value)
  return Number.isNaN(at) ? null : new Date(at)
}
