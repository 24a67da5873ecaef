import { BlobError } from '@stoa/kit/blobs/blobs.ts'
import { redactText } from '@stoa/kit/redact.ts'
import { boundedWords, type FailureFacts, LineCut, NetworkFailure } from '../networks/networks.ts'

const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS

const BACKOFF_MS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 3 * HOUR_MS]
export const MAX_ATTEMPTS = BACKOFF_MS.length + 1
const JITTER = 0.2
const MAX_MESSAGE_LENGTH = 2_000

type Tried = {
  attempts: number
  dueAt: Date
  now: Date
  /** Later after its time than this nobody expects it any more. */
  lateMs: number
}

/** The time of the automatic retry; null: never. */
export const retryAt = (
  facts: FailureFacts,
  { attempts, dueAt, now, lateMs }: Tried,
  random = Math.random,
): Date | null => {
  if (facts.kind !== 'transient' && facts.kind !== 'rate') return null
  const delay = BACKOFF_MS[attempts - 1]
  if (delay === undefined) return null
  const usual = now.getTime() + delay * (1 + JITTER * (2 * random() - 1))
  const at = Math.max(usual, facts.retryAt?.getTime() ?? 0)
  return at > dueAt.getTime() + lateMs ? null : new Date(at)
}

/** Whether the call surely did nothing, although it was the one that posts. */
export const isDefiniteNo = (error: unknown): boolean => {
  if (!(error instanceof NetworkFailure)) return false
  const { kind, httpStatus } = error.facts
  if (kind === 'unknown') return false
  if (httpStatus === undefined) return kind !== 'transient'
  return httpStatus < 500 && httpStatus !== 408
}

/** The error before anything was posted, in words of the network or ours. Null: it does not concern this target. */
export const factsOf = (error: unknown): FailureFacts | null => {
  if (error instanceof NetworkFailure) return error.facts
  if (error instanceof LineCut) return { kind: 'transient', code: 'NO_ANSWER', message: "The network didn't respond" }
  if (error instanceof BlobError)
    return { kind: 'invalid', code: 'MEDIA_GONE', message: 'A file of this post can no longer be read' }
  return null
}

export const OUTCOME_UNKNOWN: FailureFacts = {
  kind: 'unknown',
  code: 'OUTCOME_UNKNOWN',
  message: "The network didn't confirm the post. It may already be live, so check before you retry.",
}
export const missed = (hours: number): FailureFacts => ({
  kind: 'config',
  code: 'MISSED',
  message: `This post missed its time by more than ${hours} hours, while nothing could be sent. Retry to send it now.`,
})
export const ACCOUNT_GONE: FailureFacts = {
  kind: 'config',
  code: 'ACCOUNT_GONE',
  message: 'The account is no longer connected. Connect it again, then retry.',
}
export const NETWORK_OFF: FailureFacts = {
  kind: 'config',
  code: 'NETWORK_OFF',
  message: 'This network is turned off in the settings. Turn it on, then retry.',
}
export const NETWORK_GONE: FailureFacts = {
  kind: 'config',
  code: 'NETWORK_GONE',
  message: 'This network is no longer supported',
}
export const PROCESSING_TIMEOUT: FailureFacts = {
  kind: 'invalid',
  code: 'PROCESSING_TIMEOUT',
  message: "The network didn't finish processing the media of this post in time",
}
export const INTERRUPTED: FailureFacts = {
  kind: 'invalid',
  code: 'INTERRUPTED',
  message: 'Sending was interrupted too many times',
}
export const INTERNAL: FailureFacts = {
  kind: 'transient',
  code: 'INTERNAL',
  message: 'The server ran into an unexpected error, which was logged. Retry later.',
}

export type StoredFailure = {
  kind: string
  code: string
  message: string
  httpStatus?: number
  traceId?: string
  at: string
}

/** The failure as stored: bounded, and without anything that opens an account. */
export const storedFailure = ({ kind, code, message, httpStatus, traceId }: FailureFacts, at: Date): StoredFailure => ({
  kind,
  code: boundedWords(code, 200),
  message: boundedWords(maskTokens(message), MAX_MESSAGE_LENGTH),
  ...(httpStatus !== undefined && { httpStatus }),
  ...(traceId !== undefined && { traceId: boundedWords(traceId, 200) }),
  at: at.toISOString(),
})

const maskTokens = (text: string): string =>
  redactText(text)
    .replace(/\b(Bearer|OAuth|Basic)\s+[\w.~+/=-]{8,}/gi, '$1 [redacted]')
    .replace(/("?(?:access_token|refresh_token|client_secret|id_token)"?\s*[:=]\s*"?)[^\s"'&,}]+/gi, '$1[redacted]')

/** `error` with this secret removed from its text. */
export const withoutSecret = (error: unknown, secret: string): unknown => {
  if (!(error instanceof NetworkFailure) || secret === '' || !error.facts.message.includes(secret)) return error
  return new NetworkFailure({ ...error.facts, message: error.facts.message.replaceAll(secret, '[redacted]') })
}
