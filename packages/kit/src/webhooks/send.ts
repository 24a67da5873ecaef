import type { Egress, EgressResponse } from '../egress/egress.ts'
import { EgressFailed, EgressRefused } from '../egress/errors.ts'
import type { Log } from '../log.ts'
import type { Secret } from '../secret.ts'
import type { AttemptOutcome, WebhookPolicy } from './policy.ts'
import { signatureHeaders } from './sign.ts'

export type Message = { id: string; type: string; payload: string; url: string; secret: Secret }

export type SendOptions = { egress: Egress; policy: WebhookPolicy; now: () => Date; log: Log; timeoutMs: number }

/** One signed POST. Every answer and every failure is an outcome; only an abort by `signal` throws. */
export const sendMessage = async (
  message: Message,
  options: SendOptions,
  signal?: AbortSignal,
): Promise<AttemptOutcome> => {
  const sentAt = options.now()
  const started = performance.now()
  const finish = (result: Pick<AttemptOutcome, 'responseStatus' | 'responseBody' | 'error'>): AttemptOutcome => ({
    ...result,
    isDelivered: result.error === null,
    sentAt,
    durationMs: Math.round(performance.now() - started),
  })
  try {
    const response = await post(message, sentAt, options, signal)
    const { status } = response
    return finish({ responseStatus: status, responseBody: bodyText(response.body), error: describeStatus(status) })
  } catch (error) {
    if (signal?.aborted) throw error
    if (!(error instanceof EgressRefused || error instanceof EgressFailed)) throw error
    options.log.info({ webhookId: message.id, reason: error.reason }, 'a webhook target did not answer')
    return finish({ responseStatus: null, responseBody: null, error: describeFailure(error, options.timeoutMs) })
  }
}

/** Enough to see what went wrong, little enough to keep for each attempt. */
const MAX_RESPONSE_BYTES = 1_024

const post = async (
  message: Message,
  sentAt: Date,
  { egress, policy, timeoutMs }: SendOptions,
  signal: AbortSignal | undefined,
): Promise<EgressResponse> => {
  const timestampSeconds = Math.floor(sentAt.getTime() / 1_000)
  const signed = { id: message.id, timestampSeconds, body: message.payload }
  const headers = {
    ...policy.extraHeaders?.({ id: message.id, type: message.type }),
    'content-type': 'application/json',
    'user-agent': policy.userAgent,
    ...signatureHeaders(message.secret, signed, policy.headerFamilies),
  }
  const hops = egress.allowPrivate ? policy.maxRedirects : 0
  const until = performance.now() + timeoutMs
  let url = message.url
  for (let hop = 0; ; hop += 1) {
    const response = await egress.request({
      url,
      method: 'POST',
      headers,
      body: message.payload,
      maxBytes: MAX_RESPONSE_BYTES,
      timeoutMs: Math.max(1, until - performance.now()),
      ...(signal ? { signal } : {}),
    })
    const next = hop < hops ? redirectTarget(response, url) : null
    if (next === null) return response
    url = next
  }
}

/** Only the two redirects that keep method and body. */
const redirectTarget = (response: EgressResponse, from: string): string | null => {
  if (response.status !== 307 && response.status !== 308) return null
  const { location } = response.headers
  return typeof location === 'string' ? (URL.parse(location, from)?.href ?? null) : null
}

/** Inner addresses are refused before anything is sent, so that only targets that may be called ever time out. */
const describeFailure = (error: EgressRefused | EgressFailed, timeoutMs: number): string =>
  error.reason === 'timeout' ? `The server didn't respond within ${timeoutMs / 1_000} s` : error.publicMessage

const describeStatus = (status: number): string | null => {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return `The server returned ${status}; redirects aren't followed`
  return `The server returned ${status}`
}

/** Text that PostgreSQL can store; a character that the limit cut in half is left out. */
const bodyText = (body: Buffer): string => new TextDecoder().decode(body, { stream: true }).replaceAll('\0', '')
