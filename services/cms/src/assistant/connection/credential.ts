import { createSealer, SealError, type Sealer } from '@stoa/kit/crypto/seal.ts'
import { Secret } from '@stoa/kit/secret.ts'
import type { Config } from '../../config.ts'
import type { ProviderValues, StoredProvider } from './queries.ts'

/** As few characters more would leave too little to guess. */
const MIN_SECRET_TO_SHOW = 12

export type SealedCredential = Pick<ProviderValues, 'credentialFrom' | 'sealed' | 'last4'>

export const NO_CREDENTIAL: SealedCredential = { credentialFrom: null, sealed: null, last4: null }

const sealerOf = ({ secret }: Pick<Config, 'secret'>): Sealer => createSealer({ current: secret }, 'ai-provider')

/** A credential is sealed for the kind of provider that it is for. */
export const sealKey = (config: Config, kind: string, key: string): SealedCredential => ({
  credentialFrom: 'key',
  sealed: sealerOf(config).seal(new Secret(key), `${kind}/key`),
  last4: last4(key),
})

/** What is sealed, or null when there is nothing or the present SECRET cannot open it. */
export const openSealed = (
  config: Config,
  { kind, credentialFrom, sealed }: Pick<StoredProvider, 'kind' | 'credentialFrom' | 'sealed'>,
): Secret | null => {
  if (kind === null || credentialFrom === null || sealed === null) return null
  try {
    return sealerOf(config).open(sealed, `${kind}/${credentialFrom}`)
  } catch (error) {
    if (error instanceof SealError) return null
    throw error
  }
}

const last4 = (secret: string): string | null => (secret.length < MIN_SECRET_TO_SHOW ? null : secret.slice(-4))
