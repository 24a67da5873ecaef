import { z } from 'zod'
import { tokenText } from './accounts.ts'
import { MAX_EMAIL } from './email.ts'
import { newPassword } from './password.ts'
import { line } from './text.ts'

/** RFC 1035 §2.3.4 in text, with room for other spellings of it. */
const MAX_DOMAIN = 300

export const recoveryCheckQuery = z.object({ domain: line({ min: 1, max: MAX_DOMAIN }) })
export const recoveryAvailability = z.object({
  object: z.literal('recovery_availability'),
  domain: z.string(),
  available: z.boolean(),
})
export type RecoveryAvailability = z.infer<typeof recoveryAvailability>

export const recoveryRequestInput = z.object({ email: line({ max: MAX_EMAIL }) })
export const recoveryRequest = z.object({ object: z.literal('recovery_request'), accepted: z.literal(true) })

export const recoveryResetInput = z.object({ token: tokenText, password: newPassword })
export const recoveryDone = z.object({ object: z.literal('recovery'), reset: z.literal(true) })
