import type { ErrorCode } from '@stoa/cms-model/error-codes.ts'
import { EgressFailed, EgressRefused } from '@stoa/kit/egress/errors.ts'
import { catalogue } from '../../errors.ts'
import { ProviderError } from './types.ts'

type More = ConstructorParameters<typeof ProviderError>[2]

/** A failure in our own words. */
export const failure = (code: ErrorCode, more: More = {}): ProviderError =>
  new ProviderError(code, catalogue[code].message, { retryable: RETRYABLE.has(code), ...more })

/** Errors that a retry may resolve. */
const RETRYABLE: ReadonlySet<ErrorCode> = new Set([
  'AI_RATE_LIMITED',
  'AI_OVERLOADED',
  'AI_TIMEOUT',
  'AI_UNREACHABLE',
  'AI_STREAM_INTERRUPTED',
  'AI_BAD_RESPONSE',
  'AI_PROVIDER_ERROR',
])

const MAX_PROVIDER_TEXT = 500

/** What a provider said, as one short line. */
export const boundedText = (text: unknown): string | null => {
  if (typeof text !== 'string') return null
  const line = text
    .slice(0, 4 * MAX_PROVIDER_TEXT)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  return line === '' ? null : line.slice(0, MAX_PROVIDER_TEXT)
}

/** An error as a provider words it, before or inside a stream. `type` and `code` are the machine's words of it. */
export type ProviderWords = { readonly text: string | null; readonly words: readonly string[] }

/** An answer that is an error: by its words first, then by its status. Null for words: the body was of no known form. */
export const refusalOf = (
  status: number | null,
  said: ProviderWords | null,
  retryAfterSeconds: number | null = null,
): ProviderError => {
  const providerText = boundedText(said?.text)
  const code = codeByWords(said) ?? codeByStatus(status, said !== null)
  return failure(code, { providerText, retryAfterSeconds })
}

const WORDS: readonly (readonly [ErrorCode, RegExp])[] = [
  ['AI_NO_TOOLS', /does not support tools|\btools?'? (use )?(is|are) not supported/i],
  [
    'AI_CONTEXT_FULL',
    /context_length_exceeded|request_too_large|prompt is too long|exceeds?[^.]{0,40}\bcontext\b|context (length|window)[^.]{0,40}exceed/i,
  ],
  [
    'AI_QUOTA',
    /insufficient_quota|billing_error|enforced_spend_limit_reached|billing_hard_limit|credit balance is too low/i,
  ],
  ['AI_OVERLOADED', /overloaded_error|server_is_overloaded/i],
  ['AI_RATE_LIMITED', /rate_limit_(error|exceeded)/i],
  ['AI_AUTH', /authentication_error|permission_error|invalid_api_key/i],
  ['AI_MODEL_NOT_FOUND', /model_not_found|not_found_error|model\b[^.]{0,220}\bnot found/i],
  ['AI_TIMEOUT', /\btimeout_error\b/i],
]

const codeByWords = (said: ProviderWords | null): ErrorCode | undefined => {
  if (said === null) return undefined
  const all = [...said.words, said.text ?? ''].join('\n').slice(0, 4_000)
  return WORDS.find(([, pattern]) => pattern.test(all))?.[0]
}

const BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  401: 'AI_AUTH',
  402: 'AI_QUOTA',
  403: 'AI_AUTH',
  408: 'AI_TIMEOUT',
  413: 'AI_CONTEXT_FULL',
  429: 'AI_RATE_LIMITED',
  503: 'AI_OVERLOADED',
  504: 'AI_TIMEOUT',
  529: 'AI_OVERLOADED',
}

const codeByStatus = (status: number | null, isKnownForm: boolean): ErrorCode => {
  if (status === null || status >= 500) return BY_STATUS[status ?? 0] ?? 'AI_PROVIDER_ERROR'
  if (status === 404) return isKnownForm ? 'AI_MODEL_NOT_FOUND' : 'AI_BAD_RESPONSE'
  return BY_STATUS[status] ?? (isKnownForm ? 'AI_PROVIDER_ERROR' : 'AI_BAD_RESPONSE')
}

/** What went wrong on the way, before the answer began or while it was read. */
export const failureOfLine = (cause: unknown, isReading: boolean): ProviderError => {
  if (cause instanceof ProviderError) return cause
  if (cause instanceof EgressRefused) return failure('AI_UNREACHABLE', { cause, retryable: false })
  if (!(cause instanceof EgressFailed)) return failure('AI_PROVIDER_ERROR', { cause })
  if (cause.reason === 'too_large') return failure('AI_BAD_RESPONSE', { cause, retryable: false })
  if (cause.reason === 'timeout')
    return failure(cause.limit?.name === 'connect' ? 'AI_UNREACHABLE' : 'AI_TIMEOUT', { cause })
  if (isReading) return failure('AI_STREAM_INTERRUPTED', { cause })
  if (cause.reason === 'protocol') return failure('AI_BAD_RESPONSE', { cause })
  return failure('AI_UNREACHABLE', { cause })
}
