import { createHash, createHmac } from 'node:crypto'
import { newToken, timingSafeEqualText } from '@stoa/kit/crypto/tokens.ts'
import { HostRefusal, type Json } from '../sandbox/sandbox.ts'

const MAX_TOKEN_BYTES = 256

export const invalid = (message: string): HostRefusal => new HostRefusal('VALIDATION_FAILED', 400, message)

const textOf = (value: Json | undefined, what: string): string => {
  if (typeof value !== 'string') throw invalid(`${what} must be text`)
  return value
}

type Own = (...args: readonly (Json | undefined)[]) => Json

/** `crypto`: the engine has none. Hashes are SHA-256 in hex. */
export const cryptoCalls: Readonly<Record<string, Own>> = {
  randomToken: (bytes = 32) => {
    if (typeof bytes !== 'number' || !Number.isInteger(bytes) || bytes < 1 || bytes > MAX_TOKEN_BYTES)
      throw invalid(`The number of bytes must be from 1 to ${MAX_TOKEN_BYTES}`)
    return newToken('', bytes)
  },
  sha256: (text) => createHash('sha256').update(textOf(text, 'The text to hash')).digest('hex'),
  hmac: (key, text) =>
    createHmac('sha256', textOf(key, 'The key')).update(textOf(text, 'The text to sign')).digest('hex'),
  equal: (a, b) => timingSafeEqualText(textOf(a, 'The text to compare'), textOf(b, 'The text to compare')),
}
