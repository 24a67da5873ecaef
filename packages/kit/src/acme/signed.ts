import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'

/** An account's key, as requests are signed with it (RFC 7515, RFC 8555 §6.2). */
export type AccountKey = {
  /** The request's body: `kid` names the account; without one, the key itself is sent along. */
  signed(request: { url: string; nonce: string; kid: string | null; payload: object | null }): string
  /** What proves that a challenge was answered by the account's owner (RFC 8555 §8.1). */
  authorisationOf(token: string): string
}

export const openAccountKey = (pem: string): AccountKey => {
  const privateKey = createPrivateKey(pem)
  const jwk = publicJwk(privateKey)
  const thumbprint = createHash('sha256').update(JSON.stringify(jwk)).digest('base64url')
  return {
    signed({ url, nonce, kid, payload }) {
      const head = encode({ alg: 'ES256', nonce, url, ...(kid === null ? { jwk } : { kid }) })
      // RFC 8555 §6.3: an empty payload reads.
      const body = payload === null ? '' : encode(payload)
      const signature = sign('sha256', Buffer.from(`${head}.${body}`), { key: privateKey, dsaEncoding: 'ieee-p1363' })
      return JSON.stringify({ protected: head, payload: body, signature: signature.toString('base64url') })
    },
    authorisationOf: (token) => `${token}.${thumbprint}`,
  }
}

/** RFC 7638 §3: these members, in this order. */
const publicJwk = (privateKey: KeyObject) => {
  const { crv, kty, x, y } = createPublicKey(privateKey).export({ format: 'jwk' })
  return { crv, kty, x, y }
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
