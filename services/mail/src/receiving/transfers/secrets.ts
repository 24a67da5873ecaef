import { createSealer, type Sealer } from '@stoa/kit/crypto/seal.ts'
import type { Secret } from '@stoa/kit/secret.ts'

/** Seals the passwords of sources; the context is the transfer's id. */
export const createPasswordSealer = (secret: Secret): Sealer =>
  createSealer({ current: secret }, 'mail/transfer-password')
