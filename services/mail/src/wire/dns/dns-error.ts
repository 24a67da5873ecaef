export type DnsErrorCode = 'ENOTFOUND' | 'ENODATA' | 'ETIMEOUT' | 'ESERVFAIL'

/** A look-up without an answer: there is none (`none`), or nobody could say (`temporary`). */
export class DnsError extends Error {
  readonly kind: 'none' | 'temporary'
  /** The code of Node's own resolver. */
  readonly code: DnsErrorCode

  constructor(code: DnsErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'DnsError'
    this.code = code
    this.kind = code === 'ENOTFOUND' || code === 'ENODATA' ? 'none' : 'temporary'
  }
}
