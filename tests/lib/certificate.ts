import { createSelfSigned, type SelfSigned } from '@stoa/kit/crypto/self-signed.ts'

export type TestCertificate = SelfSigned

const DAY_MS = 86_400_000

/** A fresh certificate for these names and IPv4 addresses that is its own authority, valid today. */
export const selfSignedCertificate = (names: readonly [string, ...string[]]): TestCertificate =>
  createSelfSigned(names, { from: new Date(Date.now() - DAY_MS), to: new Date(Date.now() + 365 * DAY_MS) })
