import { isUtf8 } from 'node:buffer'

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** What a client says with SASL PLAIN (RFC 4616), in base64; null when it is not well formed. Nobody acts for another here. */
export const readPlain = (encoded: string): { email: string; password: string } | null => {
  if (!BASE64.test(encoded)) return null
  const bytes = Buffer.from(encoded, 'base64')
  if (!isUtf8(bytes)) return null
  const [actsFor, email, password, ...more] = bytes.toString('utf8').split('\0')
  if (actsFor === undefined || !email || !password || more.length > 0) return null
  return actsFor === '' || actsFor.toLowerCase() === email.toLowerCase() ? { email, password } : null
}
