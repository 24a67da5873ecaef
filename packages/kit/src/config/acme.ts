import { isIP } from 'node:net'
import { ConfigError, type ConfigOf } from '../config.ts'
import { isInnerName } from '../egress/resolve.ts'
import { boolean, text, url } from './kinds.ts'

const LETS_ENCRYPT = 'https://acme-v02.api.letsencrypt.org/directory'

/** What a service asks for that can order its certificates itself. */
export const acmeVariables = {
  ACME: boolean({
    default: 'off',
    doc: 'Set to on to order and renew certificates automatically. By turning it on, you agree to the terms of the certificate authority.',
  }),
  ACME_DIRECTORY: url('https')({
    defaultText: LETS_ENCRYPT,
    doc: "Directory URL of the certificate authority, if you don't use Let's Encrypt.",
  }),
  ACME_EMAIL: text({ doc: 'Email address that the certificate authority can write to.' }),
}

export type Acme = {
  readonly directory: string
  readonly email: string | null
  /** The operator chose the authority, which may then be one inside. */
  readonly isOwnDirectory: boolean
}

/** Null: certificates are not ordered. Throws ConfigError. */
export const readAcme = (values: ConfigOf<typeof acmeVariables>): Acme | null => {
  const { ACME, ACME_DIRECTORY, ACME_EMAIL } = values
  if (ACME_EMAIL !== undefined && !/^[^\s@<>",]{1,64}@[^\s@<>",]{1,253}$/.test(ACME_EMAIL))
    throw new ConfigError([{ name: 'ACME_EMAIL', problem: 'Enter an address like admin@example.com.' }])
  if (!ACME) return null
  return {
    directory: ACME_DIRECTORY ?? LETS_ENCRYPT,
    email: ACME_EMAIL ?? null,
    isOwnDirectory: ACME_DIRECTORY !== undefined,
  }
}

/** A name that an authority could give a certificate for. */
export const isCertifiable = (name: string): boolean => isIP(name.replace(/^\[|\]$/g, '')) === 0 && !isInnerName(name)
