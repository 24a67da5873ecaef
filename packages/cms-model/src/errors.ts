import { z } from 'zod'
import { errorCodes } from './error-codes.ts'

/** One wrong member of a request. Nested members are dot paths (`items.2.url`). */
export const fieldProblem = z.object({ key: z.string(), message: z.string() })
export type FieldProblem = z.infer<typeof fieldProblem>

/** The body of every error. */
export const errorBody = z.object({
  /** A sentence for people. */
  error: z.string(),
  /** What programs decide by. */
  code: z.enum(errorCodes),
  details: z.looseObject({ fields: z.array(fieldProblem).optional() }).optional(),
})
export type ErrorBody = z.infer<typeof errorBody>
