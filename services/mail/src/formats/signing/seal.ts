import { createSeal } from 'mailauth/lib/arc/index.js'
import type { DkimKey } from './dkim.ts'

export type SealInput = {
  key: DkimKey
  /** Prefix and message as they will be sent. */
  message: Buffer
  /** Our Authentication-Results field from delivery, without its name. */
  authResults: string
  /** The validation result of the ARC chain that the message arrived with. */
  chain: 'none' | 'pass' | 'fail'
  at: Date
}

/** The ARC set of a message that is forwarded (RFC 8617), with line ends; empty when no set can be added. */
export const sealMessage = async ({ key, message, authResults, chain, at }: SealInput): Promise<string> => {
  const { headers } = await createSeal(message, {
    seal: {
      signingDomain: key.domain,
      selector: key.selector,
      privateKey: key.privateKeyPem,
      algorithm: key.algorithm,
      authResults,
      cv: chain,
      signTime: at,
    },
  })
  return headers.map((field) => `${field}\r\n`).join('')
}
