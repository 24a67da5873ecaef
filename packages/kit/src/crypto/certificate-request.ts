import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { bitString, ECDSA_WITH_SHA256, integer, oid, sequence, setOf, tagged } from './der.ts'
import { subjectAltName } from './self-signed.ts'

/** A fresh private key (ECDSA on P-256), as PEM. */
export const newPrivateKey = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

/** Asks an authority for a certificate of this key for this name (RFC 2986); DER. */
export const certificateRequest = (key: string, name: string): Buffer => {
  const privateKey = createPrivateKey(key)
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
  const extensions = sequence(EXTENSION_REQUEST, setOf(sequence(subjectAltName([name]))))
  // The subject stays empty: a common name ends at 64 characters, and nobody looks at it any more.
  const body = sequence(integer(Buffer.from([0])), sequence(), publicKey, tagged(0xa0, extensions))
  return sequence(body, sequence(ECDSA_WITH_SHA256), bitString(sign('sha256', body, privateKey)))
}

/** RFC 2985 §5.4.2 */
const EXTENSION_REQUEST = oid('2a864886f70d01090e')
