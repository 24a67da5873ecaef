import type { ErrorCode } from '@stoa/cms-model/error-codes.ts'
import type { ErrorBody, FieldProblem } from '@stoa/cms-model/errors.ts'
import {
  type AppError,
  type Catalogue,
  defineErrors,
  type ErrorOptions,
  type FaultTable,
  type InputIssue,
} from '@stoa/kit/errors.ts'

/** Every error of this service; `docs/errors/cms.md` explains each. */
export const catalogue = {
  VALIDATION_FAILED: { status: 400, message: 'Some fields are invalid' },
  INVALID_JSON: { status: 400, message: "The request body can't be read" },
  RESERVED_SLUG: { status: 400, message: 'This slug is reserved. Choose another one.' },
  SCHEDULE_IN_PAST: { status: 400, message: 'This time is in the past. Choose a time in the future.' },
  SOCIAL_INVALID: { status: 400, message: "One of the networks doesn't accept this post" },
  UNKNOWN_SECTION: { status: 400, message: "The layout contains sections that this page doesn't have" },
  PLUGIN_REFUSED: { status: 400, message: 'The plugin rejected this request' },
  WEBHOOK_TARGET_REFUSED: { status: 400, message: "Webhooks can't be sent to this URL" },
  AI_NO_TOOLS: {
    status: 400,
    message: "This model can't call tools. Choose one that can, or use the field assistant.",
  },
  AI_CONTEXT_FULL: { status: 400, message: 'This conversation is too long for the model. Start a new one.' },
  AUTH_REQUIRED: { status: 401, message: 'Sign in or send an API key' },
  INVALID_CREDENTIALS: { status: 401, message: 'The email address or password is wrong' },
  TOTP_REQUIRED: { status: 401, message: 'Enter the code from your authenticator app' },
  TOTP_INVALID: { status: 401, message: 'The code is wrong or was already used' },
  INVALID_TOKEN: { status: 401, message: "This session or key doesn't exist" },
  TOKEN_EXPIRED: { status: 401, message: 'The session or key has expired. Sign in again or create a new key.' },
  TOKEN_REVOKED: { status: 401, message: 'The session or key was revoked. Sign in again or create a new key.' },
  WRONG_CREDENTIAL_KIND: { status: 401, message: "This kind of credential can't be used for this endpoint" },
  TICKET_INVALID: {
    status: 401,
    message: 'The ticket is invalid, expired or already used. Get a new one.',
  },
  FORBIDDEN: { status: 403, message: "Your role doesn't allow this" },
  RANK_TOO_LOW: { status: 403, message: "You can't create, change or remove someone with a higher role than yours" },
  LAST_OWNER: { status: 403, message: "The last owner can't be changed. Make someone else an owner first." },
  ORIGIN_NOT_ALLOWED: { status: 403, message: "Pages of this origin can't call this endpoint" },
  AGENT_NOT_ALLOWED: { status: 403, message: "Agent keys can't do this. Sign in instead." },
  REAUTH_REQUIRED: { status: 403, message: 'Enter your current password' },
  CSRF: {
    status: 403,
    message: 'The request came from another website. If it came from your own admin, set PUBLIC_URL to its URL.',
  },
  NOT_FOUND: { status: 404, message: "This record doesn't exist" },
  ROUTE_NOT_FOUND: { status: 404, message: "This endpoint doesn't exist" },
  PREVIEW_NOT_FOUND: {
    status: 404,
    message: "This preview has expired or doesn't exist. Open a new one in the editor.",
  },
  ASSISTANT_DISABLED: { status: 404, message: 'The visitor assistant is turned off' },
  AI_MODEL_NOT_FOUND: { status: 404, message: "The AI provider doesn't have a model with this name" },
  UPGRADE_REQUIRED: { status: 426, message: 'This endpoint only accepts WebSocket connections' },
  METHOD_NOT_ALLOWED: { status: 405, message: "This endpoint doesn't support this method" },
  UNSUPPORTED_VERSION: { status: 406, message: "This API version isn't supported" },
  VERSION_CONFLICT: { status: 409, message: 'Someone else changed this record since you opened it' },
  NAME_TAKEN: { status: 409, message: 'Another record already has this name' },
  SLUG_TAKEN: { status: 409, message: 'Another record of this type already has this slug' },
  SINGLE_EXISTS: { status: 409, message: 'This type can only have one entry, and it already exists' },
  EMAIL_TAKEN: { status: 409, message: 'Another account already has this email address' },
  MEDIA_IN_USE: { status: 409, message: 'This file is used by entries, settings or the design' },
  TYPE_IN_USE: { status: 409, message: 'Entries or other types depend on this content type' },
  ALREADY_SET_UP: { status: 409, message: 'This site already has an owner. Sign in instead.' },
  INVALID_STATE: { status: 409, message: "The record's current status doesn't allow this" },
  SOCIAL_APP_MISSING: {
    status: 409,
    message: "Set up the network's app first: enter its client ID and client secret, and turn it on",
  },
  APPROVAL_REQUIRED: { status: 409, message: 'The plugin asks for new permissions. Approve them first.' },
  ASSISTANT_BUSY: { status: 409, message: 'The assistant is still answering in this conversation. Wait, or stop it.' },
  PROPOSAL_STALE: {
    status: 409,
    message: 'The record has changed since this was proposed. Review the proposal again.',
  },
  PROPOSAL_CLOSED: { status: 409, message: 'This proposal was already applied, dismissed or replaced' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The request is too large' },
  UNSUPPORTED_MEDIA: { status: 415, message: 'The body must be sent as application/json' },
  RATE_LIMITED: { status: 429, message: 'Too many requests. Try again later.' },
  LOGIN_LIMITED: { status: 429, message: 'Too many wrong passwords or codes. Try again later.' },
  AI_RATE_LIMITED: { status: 429, message: "The AI provider doesn't accept more requests right now. Try again later." },
  AI_BUDGET_SPENT: { status: 429, message: "Today's AI tokens are used up. An admin can raise the limit." },
  INTERNAL: { status: 500, message: 'The server ran into an unexpected error, which was logged. Try again later.' },
  PREVIEW_UNREACHABLE: { status: 502, message: "The website didn't return this page" },
  PLUGIN_FAILED: { status: 502, message: 'The plugin failed. See its runs on the Plugins screen.' },
  AI_AUTH: { status: 502, message: 'The AI provider rejected the API key. An admin has to enter a new one.' },
  AI_QUOTA: { status: 502, message: 'The AI provider account has no credit left' },
  AI_OVERLOADED: { status: 502, message: 'The AI provider is overloaded. Try again later.' },
  AI_REFUSED: { status: 502, message: 'The model declined to answer' },
  AI_TIMEOUT: { status: 502, message: 'The AI provider took too long to answer' },
  AI_UNREACHABLE: { status: 502, message: 'No AI provider responded at this URL' },
  AI_STREAM_INTERRUPTED: { status: 502, message: "The AI provider's response was interrupted" },
  AI_BAD_RESPONSE: { status: 502, message: 'The AI provider sent an unexpected response' },
  AI_PROVIDER_ERROR: { status: 502, message: 'The AI provider returned an error' },
  AI_NOT_CONNECTED: { status: 503, message: 'No AI provider is connected. An admin can connect one in the settings.' },
  UNAVAILABLE: { status: 503, message: 'The service is temporarily unavailable. Try again later.' },
} as const satisfies Catalogue & Record<ErrorCode, unknown>

const { error: plainError } = defineErrors(catalogue)

/** An error of the catalogue, to be thrown. */
export const error = (code: ErrorCode, options: ErrorOptions = {}): AppError => {
  if (catalogue[code].status !== 401) return plainError(code, options)
  // RFC 9110 §15.5.2: a 401 names the scheme that would be accepted.
  return plainError(code, { ...options, headers: { 'www-authenticate': 'Bearer', ...options.headers } })
}

/** Throws an error of the catalogue. */
export const fail = (code: ErrorCode, options: ErrorOptions = {}): never => {
  throw error(code, options)
}

/** Refuses members of the body for a reason that only the operation knows. */
export const failFields = (fields: FieldProblem[]): never => fail('VALIDATION_FAILED', { details: { fields } })

/** The code of each of the kit's faults in this service. */
export const faults: FaultTable = {
  invalid_input: ({ issues }) =>
    // A malformed id names nothing, exactly like an unknown one.
    issues.some(({ where }) => where === 'params')
      ? error('NOT_FOUND')
      : error('VALIDATION_FAILED', { details: { fields: issues.map(toField) } }),
  invalid_json: ({ reason }) => error('INVALID_JSON', { message: reason }),
  too_large: ({ limit }) => error('PAYLOAD_TOO_LARGE', { details: { limit } }),
  unsupported_media: () => error('UNSUPPORTED_MEDIA'),
  route_not_found: () => error('ROUTE_NOT_FOUND'),
  method_not_allowed: ({ allow }) => error('METHOD_NOT_ALLOWED', { headers: { allow: allow.join(', ') } }),
  unauthenticated: () => error('AUTH_REQUIRED'),
  csrf: () => error('CSRF'),
  origin_refused: () => error('ORIGIN_NOT_ALLOWED'),
  rate_limited: ({ headers }) => error('RATE_LIMITED', { headers }),
  conflict: (_detail, cause) => error('NAME_TAKEN', { cause }),
  reference: (_detail, cause) => error('INVALID_STATE', { cause }),
  invalid_value: ({ reason }, cause) => error('VALIDATION_FAILED', { message: `A value ${reason}`, cause }),
  unavailable: ({ retryAfterSeconds }, cause) =>
    error('UNAVAILABLE', { headers: { 'retry-after': String(retryAfterSeconds) }, cause }),
  internal: (_detail, cause) => error('INTERNAL', { cause }),
}

/** The one shape of every error. */
export const renderError = ({ code, message, details }: AppError, requestId: string): RenderedError => {
  const shown = code === 'INTERNAL' ? { requestId } : details
  return { error: message, code, ...(shown === undefined ? {} : { details: shown }) }
}

type RenderedError = Omit<ErrorBody, 'code' | 'details'> & { code: string; details?: Record<string, unknown> }

const toField = ({ path, where, message }: InputIssue): FieldProblem => ({ key: path || where, message })
