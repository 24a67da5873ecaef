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
  VALIDATION_FAILED: { status: 400, message: 'Some members of the request are not valid' },
  INVALID_JSON: { status: 400, message: 'The request cannot be read' },
  RESERVED_SLUG: { status: 400, message: 'This slug is an address of its own: choose another one' },
  SCHEDULE_IN_PAST: { status: 400, message: 'The time has passed: choose one to come' },
  SOCIAL_INVALID: { status: 400, message: 'A chosen network does not take this post' },
  UNKNOWN_SECTION: { status: 400, message: 'The layout names sections that the page does not have' },
  PLUGIN_REFUSED: { status: 400, message: 'The plugin refuses this' },
  WEBHOOK_TARGET_REFUSED: { status: 400, message: 'Webhooks may not be sent to this address' },
  AI_NO_TOOLS: {
    status: 400,
    message: 'This model cannot call tools: choose one that can, or use the field assistant',
  },
  AI_CONTEXT_FULL: { status: 400, message: 'This is more than the model can read at once: begin a new conversation' },
  AUTH_REQUIRED: { status: 401, message: 'Sign in, or send a credential' },
  INVALID_CREDENTIALS: { status: 401, message: 'The e-mail address or the password is wrong' },
  TOTP_REQUIRED: { status: 401, message: 'Send the code of your authenticator app as well' },
  TOTP_INVALID: { status: 401, message: 'The code is wrong, or was used already' },
  INVALID_TOKEN: { status: 401, message: 'The credential is not known here' },
  TOKEN_EXPIRED: { status: 401, message: 'The session or key has expired: sign in again, or make a new key' },
  TOKEN_REVOKED: { status: 401, message: 'The session or key was ended: sign in again, or make a new key' },
  WRONG_CREDENTIAL_KIND: { status: 401, message: 'This kind of credential is not for this address' },
  TICKET_INVALID: {
    status: 401,
    message: 'The ticket was used already, has expired, or was never issued: get a new one',
  },
  FORBIDDEN: { status: 403, message: 'Your role does not allow this' },
  RANK_TOO_LOW: { status: 403, message: 'Nobody can create, change or remove someone above their own role' },
  LAST_OWNER: { status: 403, message: 'The last owner stays owner: make someone else owner first' },
  ORIGIN_NOT_ALLOWED: { status: 403, message: 'Pages of this origin may not call this address' },
  AGENT_NOT_ALLOWED: { status: 403, message: 'No agent key may do this, whatever its grants: sign in' },
  REAUTH_REQUIRED: { status: 403, message: 'This needs your current password' },
  CSRF: { status: 403, message: 'The request comes from a page outside PUBLIC_URL' },
  NOT_FOUND: { status: 404, message: 'There is no such record' },
  ROUTE_NOT_FOUND: { status: 404, message: 'There is nothing at this address' },
  PREVIEW_NOT_FOUND: { status: 404, message: 'This preview has ended, or never was: open a new one in the editor' },
  ASSISTANT_DISABLED: { status: 404, message: 'The visitor assistant is switched off' },
  AI_MODEL_NOT_FOUND: { status: 404, message: 'The AI provider has no model of this name' },
  UPGRADE_REQUIRED: { status: 426, message: 'Open a WebSocket at this address' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'This address does not take this method' },
  UNSUPPORTED_VERSION: { status: 406, message: 'This version of the API is not served here' },
  VERSION_CONFLICT: { status: 409, message: 'Someone else has changed the record since you read it' },
  NAME_TAKEN: { status: 409, message: 'Another record has this name' },
  SLUG_TAKEN: { status: 409, message: 'Another record of its kind has this slug' },
  SINGLE_EXISTS: { status: 409, message: 'This type has its one entry already' },
  EMAIL_TAKEN: { status: 409, message: 'Another account has this e-mail address' },
  MEDIA_IN_USE: { status: 409, message: 'Entries, settings or the design use this file' },
  TYPE_IN_USE: { status: 409, message: 'Entries or other types need this content type as it is' },
  ALREADY_SET_UP: { status: 409, message: 'This site has its owner already: sign in' },
  INVALID_STATE: { status: 409, message: 'The record is not in a state that allows this' },
  SOCIAL_APP_MISSING: {
    status: 409,
    message: "Add the network's app first: client id, client secret, and switched on",
  },
  APPROVAL_REQUIRED: { status: 409, message: 'The plugin asks for more than was agreed to: approve it first' },
  ASSISTANT_BUSY: { status: 409, message: 'The assistant is still answering in this conversation: wait, or stop it' },
  PROPOSAL_STALE: { status: 409, message: 'What this proposal was made for has changed since: look at it again' },
  PROPOSAL_CLOSED: { status: 409, message: 'This proposal was applied, dismissed or replaced already' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The request is too large' },
  UNSUPPORTED_MEDIA: { status: 415, message: 'Send JSON with the content type application/json' },
  RATE_LIMITED: { status: 429, message: 'Too many requests: try again later' },
  LOGIN_LIMITED: { status: 429, message: 'Too many wrong passwords or codes: try again later' },
  AI_RATE_LIMITED: { status: 429, message: 'The AI provider takes no more requests for now: try again later' },
  AI_BUDGET_SPENT: { status: 429, message: "Today's AI tokens are used up: an admin can raise the limit" },
  INTERNAL: { status: 500, message: 'Something went wrong here; it was logged' },
  PREVIEW_UNREACHABLE: { status: 502, message: 'The website did not answer with this page' },
  PLUGIN_FAILED: { status: 502, message: 'The plugin failed: its runs on the Plugins screen say why' },
  AI_AUTH: { status: 502, message: 'The AI provider refuses the key: an admin has to enter a new one' },
  AI_QUOTA: { status: 502, message: 'The account at the AI provider has no credit left' },
  AI_OVERLOADED: { status: 502, message: 'The AI provider is overloaded: try again later' },
  AI_REFUSED: { status: 502, message: 'The model declined to answer' },
  AI_TIMEOUT: { status: 502, message: 'The AI provider took too long' },
  AI_UNREACHABLE: { status: 502, message: 'No AI provider answers at this address' },
  AI_STREAM_INTERRUPTED: { status: 502, message: 'The AI provider closed the stream before it finished' },
  AI_BAD_RESPONSE: { status: 502, message: 'The AI provider answered with something that cannot be read' },
  AI_PROVIDER_ERROR: { status: 502, message: 'The AI provider failed' },
  AI_NOT_CONNECTED: { status: 503, message: 'No AI provider is connected: an admin can connect one in the settings' },
  UNAVAILABLE: { status: 503, message: 'The service is busy or its database is away: try again later' },
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

/** What each refusal of the kit is called here. */
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
