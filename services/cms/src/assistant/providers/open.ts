import { setTimeout as sleep } from 'node:timers/promises'
import { EgressFailed } from '@stoa/kit/egress/errors.ts'
import type { StreamResponse } from '@stoa/kit/egress/stream.ts'
import { hostAndPortOf } from './base-url.ts'
import { failure, failureOfLine, type ProviderWords, refusalOf } from './failures.ts'
import type { AiPort } from './port.ts'
import type { Connected, ProviderError } from './types.ts'

/** Text and arguments of one step are far less; a provider that sends more is malicious or broken. */
const MAX_STEP_BYTES = 8 * 2 ** 20
const MAX_ERROR_BYTES = 65_536
const MAX_RETRY_AFTER_SECONDS = 10

/** One request to a provider. */
export type Call = {
  readonly url: string
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** What the answer must be. */
  readonly accept: string
  /** What a body of this protocol says about an error; null when it is none of the protocol. */
  readonly readError: (body: unknown) => ProviderWords | null
}

/** Only of these is it known that nothing was answered yet and that it may go better soon. */
const RETRIED_STATUSES = new Set([408, 429, 500, 502, 503, 504, 529])

/**
 * The answer of a provider, once it begins and is what was asked for: everything else is a ProviderError. Tried three
 * times at most, and never again after its first byte.
 */
export const openAnswer = async (
  ai: AiPort,
  connected: Connected,
  call: Call,
  signal: AbortSignal,
): Promise<StreamResponse> => {
  for (let attempt = 0; ; attempt += 1) {
    const tried = await attemptOnce(ai, connected, call, signal)
    if (!('failed' in tried)) return tried
    const waitMs = tried.isRetried ? waitBefore(ai, attempt, tried.failed) : null
    if (waitMs === null) throw tried.failed
    await wait(waitMs, signal)
  }
}

type Tried = StreamResponse | { readonly failed: ProviderError; readonly isRetried: boolean }

const attemptOnce = async (ai: AiPort, connected: Connected, call: Call, signal: AbortSignal): Promise<Tried> => {
  let answer: StreamResponse
  try {
    answer = await ai.egress.stream(requestOf(ai, connected, call, signal))
  } catch (error) {
    signal.throwIfAborted()
    const isConnect =
      error instanceof EgressFailed && (['connect', 'dns'].includes(error.reason) || error.limit?.name === 'connect')
    return { failed: failureOfLine(error, false), isRetried: isConnect }
  }
  const { status, headers } = answer
  if (status < 200 || status > 299) {
    const said = call.readError(await readJson(answer))
    signal.throwIfAborted()
    const failed = refusalOf(status, said, retryAfterOf(headers))
    return { failed, isRetried: RETRIED_STATUSES.has(status) && failed.retryable }
  }
  if (isType(headers.get('content-type'), call.accept)) return answer
  await answer.body.cancel()
  return { failed: failure('AI_BAD_RESPONSE'), isRetried: false }
}

const requestOf = (ai: AiPort, connected: Connected, call: Call, signal: AbortSignal) => {
  const { timeouts } = ai
  const isLocal = connected.kind === 'local'
  return {
    url: call.url,
    method: call.method ?? 'POST',
    headers: {
      accept: call.accept,
      ...(call.body !== undefined && { 'content-type': 'application/json' }),
      ...call.headers,
    },
    ...(call.body !== undefined && { body: call.body }),
    limits: {
      connectMs: timeouts.connectMs,
      headersMs: isLocal ? timeouts.localFirstByteMs : timeouts.firstByteMs,
      idleMs: timeouts.idleMs,
      totalMs: timeouts.stepMs,
      maxBytes: MAX_STEP_BYTES,
    },
    // The admin vouches for the one address that they entered.
    ...(isLocal && connected.baseUrl !== null && { privateHosts: [hostAndPortOf(connected.baseUrl)] }),
    signal,
  }
}

/** The beginning of a body as JSON; undefined when it is none. */
const readJson = async (answer: StreamResponse): Promise<unknown> => {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of answer.body) {
      chunks.push(chunk)
      size += chunk.length
      if (size > MAX_ERROR_BYTES) return undefined
    }
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return undefined
  }
}

const isType = (given: string | null, wanted: string): boolean =>
  (given ?? '').split(';')[0]?.trim().toLowerCase() === wanted

const retryAfterOf = (headers: Headers): number | null => {
  const text = headers.get('retry-after') ?? ''
  return /^\d{1,6}$/.test(text) ? Number(text) : null
}

/** Null: no further attempt. */
const waitBefore = (ai: AiPort, attempt: number, { retryAfterSeconds }: ProviderError): number | null => {
  const usual = ai.timeouts.retryMs[attempt]
  if (usual === undefined) return null
  if (retryAfterSeconds !== null) return retryAfterSeconds > MAX_RETRY_AFTER_SECONDS ? null : retryAfterSeconds * 1_000
  // A quarter more or less, so that those who were refused together do not come back together.
  return usual * (0.75 + Math.random() / 2)
}

const wait = async (ms: number, signal: AbortSignal): Promise<void> => {
  try {
    await sleep(ms, undefined, { signal })
  } catch (error) {
    signal.throwIfAborted()
    throw error
  }
}
