import { hashToken, hmacToken, newToken, timingSafeEqualText } from '@stoa/kit/crypto/tokens.ts'
import type { TokenSigner } from '../../context.ts'

const SHAPE = /^([\w-]{43})\.([\w-]{43})$/

/** `key` is a sub-key of SECRET for one purpose: another SECRET ends all tokens, another purpose reads none of them. */
export const createTokenSigner = (key: Buffer): TokenSigner => {
  const sign = (token: string): string => hmacToken(key, token).toString('base64url')
  return {
    issue() {
      const token = newToken()
      return { value: `${token}.${sign(token)}`, hash: hashToken(token) }
    },
    read(value) {
      const [, token, signature] = SHAPE.exec(value ?? '') ?? []
      if (token === undefined || signature === undefined) return null
      return timingSafeEqualText(signature, sign(token)) ? hashToken(token) : null
    },
  }
}
