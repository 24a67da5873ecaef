import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIPv4 } from 'node:net'
import { bitString, ECDSA_WITH_SHA256, integer, octetString, oid, sequence, setOf, tagged } from './der.ts'

/** A certificate that is its own authority: give `cert` to a client as trusted, and both to a server. PEM. */
export type SelfSigned = { key: string; cert: string }

/** When it begins and ends to be valid; both before 2050. */
export type Validity = { from: Date; to: Date }

/** Signs a fresh certificate for these names and IPv4 addresses. */
export const createSelfSigned = (names: readonly [string, ...string[]], validity: Validity): SelfSigned => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const body = toBeSigned(names, publicKey, validity)
  const signature = sign('sha256', body, privateKey)
  const der = sequence(body, sequence(ECDSA_WITH_SHA256), bitString(signature))
  const base64 = der.toString('base64').replace(/.{1,64}/g, '$&\n')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64}-----END CERTIFICATE-----\n`,
  }
}

// RFC 5280 §4.1.2
const toBeSigned = (names: readonly [string, ...string[]], publicKey: KeyObject, { from, to }: Validity): Buffer => {
  const commonName = sequence(setOf(sequence(COMMON_NAME, tagged(0x0c, Buffer.from(names[0])))))
  return sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    sequence(ECDSA_WITH_SHA256),
    commonName,
    sequence(utcTime(from), utcTime(to)),
    commonName,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(basicConstraints(), subjectAltName(names))),
  )
}

const utcTime = (at: Date): Buffer =>
  tagged(0x17, Buffer.from(`${at.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`))

const COMMON_NAME = oid('550403')
const BASIC_CONSTRAINTS = oid('551d13')
const SUBJECT_ALT_NAME = oid('551d11')
const TRUE = tagged(0x01, Buffer.from([0xff]))

const basicConstraints = (): Buffer => sequence(BASIC_CONSTRAINTS, TRUE, octetString(sequence(TRUE)))

/** RFC 5280 §4.2.1.6 */
export const subjectAltName = (names: readonly string[]): Buffer => {
  const entries = names.map((name) =>
    isIPv4(name) ? tagged(0x87, Buffer.from(name.split('.').map(Number))) : tagged(0x82, Buffer.from(name)),
  )
  return sequence(SUBJECT_ALT_NAME, octetString(sequence(...entries)))
}
