import type { ErrorCode } from '@stoa/cms-model/error-codes.ts'
import { PUBLIC } from '@stoa/kit/http/route.ts'
import { z } from 'zod'
import type { Route } from '../../people/access/access.ts'

/** The codes that a route can answer with: those of what it declares, and its own. Any can answer INTERNAL or UNAVAILABLE. */
export const errorsOf = (route: Route): ErrorCode[] => [
  ...credentialErrors(route),
  ...inputErrors(route),
  ...(own[`${route.method} ${route.path}`] ?? []),
]

const credentialErrors = ({ method, auth, access, crossOrigin }: Route): ErrorCode[] => {
  if (auth === PUBLIC) return method === 'GET' || crossOrigin ? [] : ['CSRF']
  return [
    'AUTH_REQUIRED',
    'INVALID_TOKEN',
    'TOKEN_REVOKED',
    'WRONG_CREDENTIAL_KIND',
    ...(auth.includes('delivery') ? [] : (['TOKEN_EXPIRED'] as const)),
    ...(auth.includes('delivery') ? (['RATE_LIMITED'] as const) : []),
    ...(access.needs === null ? [] : (['FORBIDDEN'] as const)),
    ...(auth.includes('session') && !auth.includes('agent') ? (['AGENT_NOT_ALLOWED'] as const) : []),
    ...(auth.includes('session') && method !== 'GET' ? (['CSRF'] as const) : []),
  ]
}

const inputErrors = ({ params, query, body, form }: Route): ErrorCode[] => [
  ...(params ? (['NOT_FOUND'] as const) : []),
  ...(query || body || form ? (['VALIDATION_FAILED'] as const) : []),
  ...(body ? (['INVALID_JSON', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA'] as const) : []),
  ...(form ? (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA'] as const) : []),
  ...((body && hasVersion(body)) || (form && hasVersion(form)) ? (['VERSION_CONFLICT'] as const) : []),
]

const hasVersion = (body: z.ZodType): boolean =>
  Object.hasOwn(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }).properties ?? {}, 'version')

/** Codes that no declaration of the route implies. */
const own: Readonly<Record<string, readonly ErrorCode[]>> = {
  'POST /api/auth/setup': ['ALREADY_SET_UP'],
  'POST /api/auth/login': ['INVALID_CREDENTIALS', 'TOTP_REQUIRED', 'TOTP_INVALID', 'LOGIN_LIMITED'],
  'POST /api/auth/password': ['REAUTH_REQUIRED', 'LOGIN_LIMITED'],
  'POST /api/auth/totp': ['INVALID_STATE'],
  'POST /api/auth/totp/confirm': ['TOTP_INVALID', 'INVALID_STATE', 'LOGIN_LIMITED'],
  'DELETE /api/auth/totp': ['REAUTH_REQUIRED', 'TOTP_INVALID', 'INVALID_STATE', 'LOGIN_LIMITED'],
  'POST /api/auth/reset': ['LOGIN_LIMITED'],
  'POST /api/auth/invitation': ['LOGIN_LIMITED'],
  'POST /api/auth/invitation/accept': ['EMAIL_TAKEN', 'LOGIN_LIMITED'],
  'POST /api/invitations': ['RANK_TOO_LOW', 'EMAIL_TAKEN', 'RATE_LIMITED'],
  'POST /api/invitations/:id/renew': ['RANK_TOO_LOW', 'EMAIL_TAKEN', 'RATE_LIMITED'],
  'DELETE /api/invitations/:id': ['RANK_TOO_LOW'],
  'POST /api/users': ['RANK_TOO_LOW', 'EMAIL_TAKEN'],
  'PUT /api/users/:id': ['RANK_TOO_LOW', 'LAST_OWNER', 'EMAIL_TAKEN'],
  'DELETE /api/users/:id': ['RANK_TOO_LOW', 'LAST_OWNER'],
  'POST /api/agent-keys': ['REAUTH_REQUIRED', 'FORBIDDEN', 'LOGIN_LIMITED'],
  'POST /api/webhooks': ['WEBHOOK_TARGET_REFUSED'],
  'PUT /api/webhooks/:id': ['WEBHOOK_TARGET_REFUSED'],
  'PUT /api/delivery-keys/:id': ['INVALID_STATE'],
  'PUT /api/settings': ['INVALID_STATE'],
  'POST /api/types': ['NAME_TAKEN', 'INVALID_STATE'],
  'PUT /api/types/:name': ['TYPE_IN_USE'],
  'DELETE /api/types/:name': ['TYPE_IN_USE'],
  'POST /api/entries': ['RESERVED_SLUG', 'UNKNOWN_SECTION', 'SLUG_TAKEN', 'SINGLE_EXISTS', 'NAME_TAKEN'],
  'PUT /api/entries/:id': ['RESERVED_SLUG', 'UNKNOWN_SECTION', 'SLUG_TAKEN', 'NAME_TAKEN', 'INVALID_STATE'],
  'POST /api/social/posts': ['SOCIAL_INVALID'],
  'PUT /api/social/posts/:id': ['SOCIAL_INVALID', 'INVALID_STATE'],
  'POST /api/social/posts/:id/schedule': ['SCHEDULE_IN_PAST', 'INVALID_STATE'],
  'POST /api/social/posts/:id/cancel': ['INVALID_STATE'],
  'POST /api/entries/:id/status': ['SCHEDULE_IN_PAST', 'SLUG_TAKEN', 'INVALID_STATE'],
  'DELETE /api/entries/:id': ['INVALID_STATE'],
  'DELETE /api/entries/:id/pending': ['INVALID_STATE'],
  'POST /api/entries/:id/duplicate': ['SINGLE_EXISTS', 'INVALID_STATE'],
  'PUT /api/entries/:id/terms': ['INVALID_STATE'],
  'POST /api/entries/:id/preview': ['UNKNOWN_SECTION', 'RESERVED_SLUG', 'SLUG_TAKEN', 'INVALID_STATE'],
  'POST /api/entries/:id/restore': ['SLUG_TAKEN', 'SINGLE_EXISTS', 'NAME_TAKEN', 'INVALID_STATE', 'RESERVED_SLUG'],
  'POST /api/entries/:id/revisions/:rid/restore': ['UNKNOWN_SECTION', 'SLUG_TAKEN', 'INVALID_STATE'],
  'POST /api/taxonomies': ['NAME_TAKEN'],
  'PUT /api/taxonomies/:name': ['NAME_TAKEN', 'INVALID_STATE'],
  'POST /api/taxonomies/:name/terms': ['SLUG_TAKEN', 'INVALID_STATE'],
  'PUT /api/taxonomies/:name/terms/:slug': ['SLUG_TAKEN', 'INVALID_STATE'],
  'POST /api/menus': ['NAME_TAKEN'],
  'DELETE /api/media/:id': ['MEDIA_IN_USE'],
  'GET /preview/:token': ['PREVIEW_NOT_FOUND'],
  'POST /api/visual/page': ['PREVIEW_NOT_FOUND', 'INVALID_STATE', 'RATE_LIMITED', 'PREVIEW_UNREACHABLE'],
  'POST /ext/assistant/ask': ['ASSISTANT_DISABLED', 'RATE_LIMITED', 'AI_NOT_CONNECTED', 'UNAVAILABLE'],
  'POST /ext/assistant/public-ask': [
    'ASSISTANT_DISABLED',
    'ORIGIN_NOT_ALLOWED',
    'RATE_LIMITED',
    'AI_NOT_CONNECTED',
    'UNAVAILABLE',
  ],
  'GET /ext/assistant/widget.js': ['ASSISTANT_DISABLED'],
  'POST /api/demo': ['ALREADY_SET_UP', 'NAME_TAKEN'],
}
