import { createHash, createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto'

const TOKEN_BYTES = 32
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
// The largest multiple of 62 in a byte: a higher byte is drawn again, or the first letters would come up more often.
const UNBIASED_LIMIT = 248

/** A new random token in base64url, by default of 32 bytes, after an optional prefix that names its kind. */
export const newToken = (prefix = '', bytes = TOKEN_BYTES): string => prefix + randomBytes(bytes).toString('base64url')

/** A new random token of letters and digits only, for keys that people copy: 43 characters carry 256 bits. */
export const newKey = (prefix = '', characters = 43): string => {
  let text = ''
  while (text.length < characters) {
    for (const byte of randomBytes(characters)) {
      if (byte < UNBIASED_LIMIT && text.length < characters) text += BASE62[byte % 62]
    }
  }
  return prefix + text
}

/** What the database keeps of a token: its SHA-256. Enough for random tokens, never for anything a person chose. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/**
 * As `hashToken` under a sub-key of SECRET: a copied database opens nothing, and a new SECRET ends all tokens. A key that
 * every request uses is better made once (`createSecretKey`): Node takes ten times as long with the bytes of one.
 */
export const hmacToken = (subKey: Buffer | KeyObject, token: string): Buffer =>
  createHmac('sha256', subKey).update(token).digest()

/** Compares two texts in a time that doesn't reveal where they differ. */
export const timingSafeEqualText = (a: string, b: string): boolean => timingSafeEqual(hashToken(a), hashToken(b))
