import { decodeBase32, totpCode } from '@stoa/kit/crypto/totp.ts'
import { type CmsService, PASSWORD, type Person } from '@stoa/tests/lib/cms.ts'

export const STEP_MS = 30_000

/** What the authenticator app shows so many steps after now. */
export const codeOf = (service: CmsService, secret: string, stepsAhead = 0): string =>
  totpCode(decodeBase32(secret), Math.floor(service.clock.now().getTime() / STEP_MS) + stepsAhead)

/** A code of six digits that is wrong now, and one step around. */
export const wrongCode = (service: CmsService, secret: string): string => {
  const right = [-1, 0, 1].map((step) => codeOf(service, secret, step))
  return ['000000', '111111', '222222', '333333'].find((code) => !right.includes(code)) ?? ''
}

/** Switches two-factor authentication on for that person, and moves the clock on, so that the next code is a new one. */
export const enrol = async (
  service: CmsService,
  person: Person,
): Promise<{ secret: string; recoveryCodes: string[] }> => {
  const begun = await person.client.post('/api/auth/totp')
  const secret = String(begun.body.secret)
  const confirmed = await person.client.post('/api/auth/totp/confirm', { code: codeOf(service, secret) })
  if (confirmed.status !== 200) throw new Error(`confirming answered ${confirmed.status}: ${confirmed.text}`)
  service.clock.advance(2 * STEP_MS)
  return { secret, recoveryCodes: confirmed.body.recoveryCodes }
}

export const signInWith = (service: CmsService, person: Person, code?: string, password = PASSWORD) =>
  service.client().post('/api/auth/login', { email: person.email, password, ...(code === undefined ? {} : { code }) })
