import { z } from 'zod'

/** Every `name` that the control panel API answers with. Stable: clients switch on it and never on the message. */
export const ERROR_NAMES = [
  'validation_error',
  'invalid_parameter',
  'invalid_idempotency_key',
  'unauthorized',
  'missing_api_key',
  'restricted_api_key',
  'plan_required',
  'forbidden',
  'invalid_api_key',
  'suspended_api_key',
  'not_found',
  'method_not_allowed',
  'conflict',
  'invalid_idempotent_request',
  'concurrent_idempotent_requests',
  'quota_exceeded',
  'missing_required_field',
  'invalid_attachment',
  'invalid_from_address',
  'rate_limit_exceeded',
  'daily_quota_exceeded',
  'monthly_quota_exceeded',
  'security_error',
  'application_error',
  'service_unavailable',
] as const
export type ErrorName = (typeof ERROR_NAMES)[number]

/** The one shape of every error. */
export const errorBody = z.object({ statusCode: z.int(), name: z.enum(ERROR_NAMES), message: z.string() })
export type ErrorBody = z.infer<typeof errorBody>
