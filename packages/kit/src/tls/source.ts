import { createSecureContext, type SecureContext } from 'node:tls'
import type { CertificatePair } from './pair.ts'

/** The certificates in use. Others may take their place at any time. */
export type CertificateSource = {
  /** For clients that ask for no name, or for one that has none of its own. */
  current(): CertificatePair
  /** The one of a server name (RFC 6066 §3), if there is one besides. */
  named?(servername: string): Promise<CertificatePair | null>
  /** Called when another one is the current one; gives what ends the calls. */
  onChange(listener: () => void): unknown
}

/** A source that somebody opened, and closes. */
export type Certificate = Omit<CertificateSource, 'onChange'> & {
  onChange(listener: () => void): () => void
  close(): void
}

/** What a TLS server is made of. */
export type SecureContexts = {
  current(): SecureContext
  SNICallback(servername: string, done: (error: Error | null, context?: SecureContext) => void): void
}

/** Makes each context once, for as long as its certificate is in use. */
export const createContexts = (source: CertificateSource): SecureContexts => {
  const made = new WeakMap<CertificatePair, SecureContext>()
  const contextOf = (pair: CertificatePair): SecureContext => {
    const found = made.get(pair)
    if (found) return found
    // RFC 8996: nothing below 1.2.
    const context = createSecureContext({ ...pair, minVersion: 'TLSv1.2' })
    made.set(pair, context)
    return context
  }
  let current: CertificatePair | null = null
  source.onChange(() => {
    current = null
  })
  const currentContext = () => {
    current ??= source.current()
    return contextOf(current)
  }
  return {
    current: currentContext,
    SNICallback(servername, done) {
      // A name without one of its own, and one that cannot be looked up just now, is served with the current one.
      const named = source.named?.(servername.toLowerCase()) ?? Promise.resolve(null)
      named.then(
        (pair) => done(null, pair ? contextOf(pair) : currentContext()),
        () => done(null, currentContext()),
      )
    },
  }
}
