import { createSealer, SealError, type Sealer } from '@stoa/kit/crypto/seal.ts'
import { Secret } from '@stoa/kit/secret.ts'
import { z } from 'zod'
import type { Config } from '../../config.ts'
import type { OauthTokens } from '../providers/providers.ts'
import type { ProviderValues, StoredProvider } from './queries.ts'

/** The last characters of shorter secrets are not shown: too little would be left to guess. */
const MIN_SECRET_TO_SHOW = 12

export type SealedCredential = Pick<ProviderValues, 'credentialFrom' | 'sealed' | 'last4'>

export const NO_CREDENTIAL: SealedCredential = { credentialFrom: null, sealed: null, last4: null }

const sealerOf = ({ secret }: Pick<Config, 'secret'>): Sealer => createSealer({ current: secret }, 'ai-provider')

/** A credential is sealed for the kind of provider that it is for, and for the way in which it was given. */
export const sealKey = (config: Config, kind: string, key: string): SealedCredential => ({
  credentialFrom: 'key',
  sealed: sealerOf(config).seal(new Secret(key), `${kind}/key`),
  last4: last4(key),
})

export const sealTokens = (
  config: Config,
  clientId: string,
  tokens: OauthTokens,
): SealedCredential & { sealed: string } => ({
  credentialFrom: 'oauth',
  sealed: sealerOf(config).seal(
    JSON.stringify({
      clientId,
      access: tokens.access.reveal(),
      refresh: tokens.refresh?.reveal() ?? null,
      expiresAt: tokens.expiresAt?.toISOString() ?? null,
    }),
    'a/oauth',
  ),
  last4: last4(tokens.access.reveal()),
})

const tokensShape = z.object({
  clientId: z.string(),
  access: z.string().transform((text) => new Secret(text)),
  refresh: z
    .string()
    .transform((text) => new Secret(text))
    .nullable(),
  expiresAt: z.coerce.date().nullable(),
})
/** `clientId`: who they were given to; nobody else can renew them. */
export type StoredTokens = OauthTokens & { readonly clientId: string }

type Sealed = Pick<StoredProvider, 'kind' | 'credentialFrom' | 'sealed'>

export const openTokens = (config: Config, stored: Sealed): StoredTokens | null => {
  const opened = stored.credentialFrom === 'oauth' ? open(config, stored) : null
  return opened && tokensShape.parse(JSON.parse(opened.reveal()))
}

/** The key or the token, or null when there is none or the present SECRET cannot open it. */
export const openCredential = (config: Config, stored: Sealed): Secret | null =>
  stored.credentialFrom === 'oauth' ? (openTokens(config, stored)?.access ?? null) : open(config, stored)

const open = (config: Config, { kind, credentialFrom, sealed }: Sealed): Secret | null => {
  if (kind === null || credentialFrom === null || sealed === null) return null
  try {
    return sealerOf(config).open(sealed, `${kind}/${credentialFrom}`)
  } catch (error) {
    if (error instanceof SealError) return null
    throw error
  }
}

const last4 = (secret: string): string | null => (secret.length < MIN_SECRET_TO_SHOW ? null : secret.slice(-4))
