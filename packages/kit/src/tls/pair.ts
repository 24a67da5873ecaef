import { createPrivateKey, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'

/** A private key and its certificate chain, as PEM. */
export type CertificatePair = { readonly key: string; readonly cert: string }

/** Why clients could not be served with it, or null. */
export const problemOf = (pair: CertificatePair): string | null => {
  try {
    createSecureContext(pair)
    // An empty file is no certificate to look at, and would be taken for none at all.
    return new X509Certificate(pair.cert).checkPrivateKey(createPrivateKey(pair.key)) ? null : 'the key is another one'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

export const validityOf = ({ cert }: Pick<CertificatePair, 'cert'>): { from: Date; to: Date } => {
  const { validFrom, validTo } = new X509Certificate(cert)
  return { from: new Date(validFrom), to: new Date(validTo) }
}

export const isFor = ({ cert }: Pick<CertificatePair, 'cert'>, name: string): boolean =>
  new X509Certificate(cert).checkHost(name) !== undefined
