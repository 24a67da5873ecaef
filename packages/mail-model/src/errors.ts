import { z } from 'zod'

/** Every `name` that the control panel API answers with. Stable: clients switch on it and never on the message. */
export const ERROR_NAMES = [
  'validation_error',
  'invalid_parameter',
  'unauthorized',
  'plan_required',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'conflict',
  'quota_exceeded',
  'missing_required_field',
  'rate_limit_exceeded',
  'application_error',
  'service_unavailable',
] as const
export type ErrorName = (typeof ERROR_NAMES)[number]

/** The one shape of every error. */
export const errorBody = z.object({ statusCode: z.int(), name: z.enum(ERROR_NAMES), message: z.string() })
export type ErrorBody = z.infer<typeof errorBody>
