import { z } from 'zod'
import { givenCode, givenPassword } from './accounts.ts'

/** What an authenticator app is set up with: typed by hand, or scanned from a picture of `uri`. */
export const totpEnrolment = z.object({ secret: z.string(), uri: z.string() })
export type TotpEnrolment = z.infer<typeof totpEnrolment>

export const confirmTotpInput = z.strictObject({ code: givenCode })
export type ConfirmTotpInput = z.infer<typeof confirmTotpInput>

/** Shown once: each signs in once in place of a code. */
export const totpConfirmed = z.object({ recoveryCodes: z.array(z.string()) })
export type TotpConfirmed = z.infer<typeof totpConfirmed>

export const removeTotpInput = z.strictObject({ password: givenPassword, code: givenCode })
export type RemoveTotpInput = z.infer<typeof removeTotpInput>
