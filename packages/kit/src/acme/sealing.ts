import { createSealer, type Sealer } from '../crypto/seal.ts'
import type { Secret } from '../secret.ts'

/** Seals private keys: that of the account, with its directory as context, and those of certificates, with their name. */
export const certificateSealer = (secret: Secret): Sealer => createSealer({ current: secret }, 'certificates')
