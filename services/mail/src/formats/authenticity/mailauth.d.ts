// Parts of mailauth that have no types of their own: its verifier is fed directly, because its stream looks at every
// byte of a header several times.

declare module 'mailauth/lib/dkim/dkim-verifier.js' {
  type ParsedHeaders = import('mailauth/lib/tools.js').ParsedHeaders

  export class DkimVerifier {
    constructor(options: import('mailauth').DKIMVerifyOptions)
    headers: ParsedHeaders
    readonly results: import('mailauth').DKIMResult[]
    readonly arc: {
      readonly chain: import('mailauth').ARCChainEntry[] | false
      readonly lastEntry?: import('mailauth').ARCChainEntry
      readonly error?: Error
    }
    lastByte: number | undefined
    keyCache: import('mailauth/lib/tools.js').KeyCache
    messageHeaders(headers: ParsedHeaders): Promise<void>
    /** The pieces of a chunk with every line ended by CRLF. */
    ensureLinebreaks(chunk: Buffer): Iterable<Buffer>
    nextChunk(chunk: Buffer): Promise<void>
    finalChunk(): Promise<void>
  }
}

declare module 'mailauth/lib/tools.js' {
  export type ParsedHeader = { readonly key: string; readonly casedKey: string; readonly line: Buffer }
  export type ParsedHeaders = { readonly parsed: ParsedHeader[]; readonly original: Buffer }

  /** A key record that was read; what else it says is for the verifier only. */
  export type ReadKey = { readonly publicKey: string | Buffer | import('node:crypto').KeyObject }
  export type KeyCache = {
    readonly resolver: import('mailauth').DNSResolver
    get(type: string, name: string, minBits: number, options: { strict?: boolean; hashAlgo?: string }): Promise<ReadKey>
  }

  export const parseHeaders: (header: Buffer) => ParsedHeaders
}
