import { type AppError, defineErrors, type FaultTable, type InputIssue } from '@stoa/kit/errors.ts'
import type { ErrorBody, ErrorName } from '@stoa/mail-model/errors.ts'

/** Everything the control panel API can refuse with. `docs/errors/mail.md` has a section for each. */
export const catalogue = {
  validation_error: { status: 400, message: 'The payload failed validation.' },
  invalid_parameter: { status: 400, message: 'A parameter has an invalid value.' },
  invalid_idempotency_key: { status: 400, message: '`Idempotency-Key` must have 1 to 256 characters.' },
  unauthorized: { status: 401, message: "You're not signed in." },
  missing_api_key: { status: 401, message: 'Send an API key: `Authorization: Bearer mk_…`.' },
  restricted_api_key: { status: 401, message: 'This API key can only send emails.' },
  plan_required: { status: 402, message: "Your plan doesn't include this feature." },
  forbidden: { status: 403, message: "You're not allowed to do this." },
  invalid_api_key: { status: 403, message: 'The API key is invalid.' },
  suspended_api_key: { status: 403, message: 'The account of this API key is suspended.' },
  not_found: { status: 404, message: "The requested resource doesn't exist." },
  method_not_allowed: { status: 405, message: "This endpoint doesn't support this method." },
  conflict: { status: 409, message: 'A record with these values already exists.' },
  invalid_idempotent_request: {
    status: 409,
    message: 'This `Idempotency-Key` was used for another request in the last 24 hours.',
  },
  concurrent_idempotent_requests: {
    status: 409,
    message: 'Another request with this `Idempotency-Key` is in progress. Try again in a moment.',
  },
  quota_exceeded: { status: 413, message: "You've reached the limit." },
  missing_required_field: { status: 422, message: 'A required field is missing.' },
  invalid_attachment: { status: 422, message: 'An attachment needs `content` or `path`.' },
  invalid_from_address: {
    status: 422,
    message: 'Invalid `from` field: must be an address like ada@example.org or Ada <ada@example.org>.',
  },
  rate_limit_exceeded: { status: 429, message: 'Too many requests. Try again later.' },
  daily_quota_exceeded: { status: 429, message: "You've reached your plan's daily sending limit." },
  monthly_quota_exceeded: { status: 429, message: "You've reached your plan's monthly sending limit." },
  security_error: { status: 451, message: 'The email was rejected for security reasons.' },
  application_error: { status: 500, message: 'The server ran into an unexpected error. Try again later.' },
  service_unavailable: { status: 503, message: 'The service is temporarily unavailable. Try again later.' },
} as const satisfies Record<ErrorName, { status: number; message: string }>

export const { error, fail } = defineErrors(catalogue)

/** What is wrong with one member of the body, found by an operation. */
export const failMember = (member: string, problem: string): never =>
  fail('validation_error', { message: `Invalid \`${member}\` field: ${problem}.` })

/** Every refusal of the kit as an error of this service. */
export const faults: FaultTable = {
  invalid_input: ({ issues }, cause) => inputError(issues, cause),
  invalid_json: ({ reason }, cause) => error('validation_error', { message: `${reason}.`, cause }),
  too_large: ({ limit }, cause) =>
    error('quota_exceeded', { message: `The body is larger than ${limit} bytes.`, cause }),
  unsupported_media: (_detail, cause) =>
    error('forbidden', { message: 'The body must be sent as application/json.', cause }),
  route_not_found: (_detail, cause) => error('not_found', { cause }),
  method_not_allowed: ({ allow }, cause) =>
    error('method_not_allowed', { headers: { allow: allow.join(', ') }, cause }),
  unauthenticated: (_detail, cause) => error('unauthorized', { cause }),
  csrf: (_detail, cause) =>
    error('forbidden', {
      message:
        'This request came from another website. If it came from your own panel, set MAIL_PUBLIC_URL to its URL.',
      cause,
    }),
  origin_refused: (_detail, cause) => error('forbidden', { cause }),
  rate_limited: ({ headers }, cause) => error('rate_limit_exceeded', { headers, cause }),
  conflict: (_detail, cause) => error('conflict', { cause }),
  reference: (_detail, cause) =>
    error('conflict', { message: 'Another record depends on this one. Delete or change it first.', cause }),
  invalid_value: ({ reason }, cause) => error('validation_error', { message: `A value ${reason}.`, cause }),
  unavailable: ({ retryAfterSeconds }, cause) =>
    error('service_unavailable', { headers: { 'retry-after': String(retryAfterSeconds) }, cause }),
  internal: (_detail, cause) => error('application_error', { cause }),
}

/** The one shape of every error. */
export const renderError = ({ status, code, message }: AppError): ErrorBody => ({
  statusCode: status,
  name: isName(code) ? code : 'application_error',
  message,
})

const isName = (code: string): code is ErrorName => Object.hasOwn(catalogue, code)

/** One answer for a request with many faults: an absent member first, because it is the easier one to mend. */
const inputError = (issues: readonly InputIssue[], cause: unknown): AppError => {
  if (issues.some(({ where }) => where === 'params')) return error('not_found', { cause })
  const parameter = issues.find(({ where }) => where === 'query' || where === 'headers')
  if (parameter)
    return error('invalid_parameter', {
      message: `Invalid \`${parameter.path}\` parameter: ${parameter.message}.`,
      cause,
    })
  const unsupported = issues.find(({ reason }) => reason === 'unsupported')
  if (unsupported) return error('validation_error', { message: describeIssue(unsupported), cause })
  const missing = issues.find(({ reason }) => reason === 'missing')
  if (missing) {
    const { index, path } = placeOf(missing)
    return error('missing_required_field', { message: `${index}Missing \`${path}\` field.`, cause })
  }
  const message = issues.map(describeIssue).join(' ')
  return error('validation_error', { message, cause })
}

const describeIssue = (issue: InputIssue): string => {
  const { index, path } = placeOf(issue)
  if (path !== '') return `${index}Invalid \`${path}\` field: ${issue.message}.`
  if (index !== '') return `${index}Each item must be a JSON object.`
  return issue.message.startsWith('The body must be') ? issue.message : 'The body must be a JSON object.'
}

/** In a body that is a list, the members of its items are named with `[index]` before them. */
const placeOf = ({ path }: InputIssue): { index: string; path: string } => {
  const [, at, rest] = /^(\d+)(?:\.(.*))?$/s.exec(path) ?? []
  return at === undefined ? { index: '', path } : { index: `[${at}] `, path: rest ?? '' }
}
