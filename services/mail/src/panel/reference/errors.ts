import { PUBLIC, type Route } from '@stoa/kit/http/route.ts'
import type { ErrorName } from '@stoa/mail-model/errors.ts'
import type { Access, CredentialKind } from '../../principal.ts'

export type DescribedRoute = Route<never, CredentialKind, Access>

/** The names that a route can answer with: those of what it declares, and its own. Any can answer 500 or 503. */
export const errorsOf = (route: DescribedRoute): ErrorName[] => [
  ...new Set([
    ...credentialErrors(route),
    ...inputErrors(route),
    ...(ownErrors[`${route.method} ${route.path}`] ?? []),
  ]),
]

const credentialErrors = ({ method, auth, access }: DescribedRoute): ErrorName[] => {
  if (auth === PUBLIC) return ['rate_limit_exceeded']
  const isCookie = auth.includes('session') || auth.includes('webmail')
  return [
    ...(auth.includes('key') ? KEY_ERRORS : (['unauthorized'] as const)),
    ...(access === 'sent' ? (['restricted_api_key'] as const) : []),
    // Another website's request, or not the owner.
    ...((isCookie && method !== 'GET') || access === 'owner' ? (['forbidden'] as const) : []),
    'rate_limit_exceeded',
  ]
}

const KEY_ERRORS = ['missing_api_key', 'invalid_api_key', 'suspended_api_key'] as const satisfies ErrorName[]

const inputErrors = ({ path, query, body, form }: DescribedRoute): ErrorName[] => [
  ...(path.includes(':') ? (['not_found'] as const) : []),
  ...(query ? (['invalid_parameter'] as const) : []),
  ...(body || form ? (['validation_error', 'quota_exceeded'] as const) : []),
  ...(body && !body.safeParse({}).success ? (['missing_required_field'] as const) : []),
]

/** Errors of both routes that send. */
const SENDING_ERRORS = [
  'plan_required',
  'invalid_idempotency_key',
  'invalid_idempotent_request',
  'concurrent_idempotent_requests',
  'invalid_from_address',
  'daily_quota_exceeded',
  'monthly_quota_exceeded',
  'security_error',
] as const satisfies ErrorName[]

/** Errors of single operations, by `METHOD /path`. */
export const ownErrors: Readonly<Record<string, readonly ErrorName[]>> = {
  'POST /api/auth/signup': ['forbidden', 'conflict'],
  'POST /api/auth/login': ['unauthorized'],
  'POST /api/auth/totp/setup': ['conflict'],
  'POST /api/auth/totp/enable': ['conflict'],
  'POST /api/auth/totp/disable': ['conflict'],
  'DELETE /api/account': ['conflict'],
  'POST /api/account/email': ['conflict'],
  'POST /api/account/password': ['conflict'],
  'POST /api/domains': ['conflict', 'quota_exceeded'],
  'PATCH /api/domains/:domain_id': ['plan_required'],
  'POST /api/domains/:domain_id/fallback': ['plan_required'],
  'POST /api/domains/:domain_id/dns/publish': ['plan_required', 'invalid_parameter', 'missing_required_field'],
  'POST /api/domains/:domain_id/addresses': ['quota_exceeded', 'conflict'],
  'PATCH /api/addresses/:address_id': ['quota_exceeded', 'conflict'],
  'POST /api/addresses/:address_id/app-passwords': ['quota_exceeded'],
  'POST /api/addresses/:address_id/shares': ['quota_exceeded', 'conflict'],
  'POST /api/filters': ['not_found', 'quota_exceeded'],
  'POST /api/subscription': ['not_found', 'conflict'],
  'POST /api/subscription/cancel': ['not_found'],
  'POST /api/billing/preview': ['not_found'],
  'POST /api/billing/checkout/subscription': ['not_found', 'conflict'],
  'POST /api/billing/checkout/setup': ['validation_error'],
  'POST /api/billing/payment-methods': ['not_found', 'missing_required_field'],
  'POST /api/billing/payment-methods/:method_id/default': ['validation_error'],
  'DELETE /api/billing/payment-methods/:method_id': ['validation_error', 'conflict'],
  'GET /.well-known/mta-sts.txt': ['not_found'],
  'GET /.well-known/security.txt': ['not_found'],
  'GET /mail/config-v1.1.xml': ['not_found'],
  'GET /.well-known/autoconfig/mail/config-v1.1.xml': ['not_found'],
  'GET /mail/mobileconfig': ['not_found'],
  'POST /api/transfers': ['not_found', 'conflict'],
  'DELETE /api/transfers/:transfer_id': ['conflict'],
  'POST /api/exports': ['not_found', 'conflict'],
  'GET /api/exports/:export_id/download': ['conflict'],
  'POST /api/deleted/:deleted_id/restore': ['quota_exceeded', 'conflict'],
  'POST /api/emails': [...SENDING_ERRORS, 'invalid_attachment'],
  'POST /api/emails/batch': [...SENDING_ERRORS, 'invalid_parameter'],
  'PATCH /api/emails/:id': ['conflict'],
  'POST /api/emails/:id/cancel': ['conflict'],
  'POST /api/api-keys': ['plan_required', 'not_found'],
  'POST /api/suppressions': ['conflict'],
  'PATCH /api/instance/accounts/:account_id': ['conflict'],
  'POST /api/instance/accounts/:account_id/suspend': ['conflict'],
  'POST /api/instance/queue/:queue_item_id/retry': ['conflict'],
  'DELETE /api/instance/queue/:queue_item_id': ['conflict'],
  'POST /api/instance/queue/holds': ['conflict'],
  'POST /api/webhooks': ['plan_required'],
  'POST /api/webhooks/:webhook_id/events/:event_id/replay': ['conflict'],
  'POST /api/mail/login': ['unauthorized'],
  'POST /api/mail/folders': ['not_found', 'conflict'],
  'PATCH /api/mail/folders/:folder_id': ['conflict'],
  'DELETE /api/mail/folders/:folder_id': ['conflict'],
  'GET /api/mail/messages': ['not_found'],
  'POST /api/mail/messages/move': ['not_found'],
  'POST /api/mail/messages/flags': ['missing_required_field'],
  'POST /api/mail/messages/delete': ['missing_required_field'],
  'POST /api/mail/send': ['not_found', 'daily_quota_exceeded', 'monthly_quota_exceeded'],
  'POST /api/mail/drafts': ['not_found'],
  'POST /api/mail/submissions/:submission_id/cancel': ['conflict'],
  'POST /api/mail/password': ['conflict'],
}
