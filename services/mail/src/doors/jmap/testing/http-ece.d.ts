declare module 'http_ece' {
  import type { ECDH } from 'node:crypto'

  /** RFC 8188 and RFC 8291 from the receiver's side. */
  export const decrypt: (
    encrypted: Buffer,
    keys: { version: 'aes128gcm'; privateKey: ECDH; authSecret: string },
  ) => Buffer
}
