import { createHash, X509Certificate } from 'node:crypto'
import { checkServerIdentity, type TLSSocket } from 'node:tls'

/** A TLSA record (RFC 6698 §2.1). */
export type TlsaRecord = { usage: number; selector: number; matchingType: number; certificate: Buffer }

const DANE_TA = 2
const DANE_EE = 3
const HASHES: Record<number, string | null> = { 0: null, 1: 'sha256', 2: 'sha512' }
/** Longer chains are no chains of mail servers. */
const MAX_CHAIN = 10

/** Records that a mail sender can use; others are as if absent (RFC 7672 §3.1.3). */
export const usableRecords = (records: readonly TlsaRecord[]): TlsaRecord[] =>
  records.filter(
    ({ usage, selector, matchingType }) =>
      (usage === DANE_TA || usage === DANE_EE) && (selector === 0 || selector === 1) && matchingType in HASHES,
  )

/** Whether what the peer showed is what its records say. `names` are those that a certificate may be for. */
export const matchesTlsa = (
  socket: TLSSocket,
  records: readonly TlsaRecord[],
  input: { names: readonly string[]; now: Date },
): boolean => {
  const chain = chainOf(socket)
  const [leaf] = chain
  if (!leaf) return false
  return records.some((record) => {
    // RFC 7672 §3.1.1: neither names nor dates matter for the key of the server itself.
    if (record.usage === DANE_EE) return matches(leaf, record)
    return isUnderAnchor(chain, record, input.now) && hasName(leaf, input.names)
  })
}

const chainOf = (socket: TLSSocket): X509Certificate[] => {
  const chain: X509Certificate[] = []
  let at = socket.getPeerX509Certificate()
  while (at && chain.length < MAX_CHAIN && !chain.some((seen) => seen.fingerprint256 === at?.fingerprint256)) {
    chain.push(at)
    at = at.issuerCertificate
  }
  return chain
}

const matches = (
  certificate: X509Certificate,
  { selector, matchingType, certificate: wanted }: TlsaRecord,
): boolean => {
  const bytes = selector === 0 ? certificate.raw : certificate.publicKey.export({ type: 'spki', format: 'der' })
  const hash = HASHES[matchingType]
  if (hash === undefined) return false
  return (hash === null ? bytes : createHash(hash).update(bytes).digest()).equals(wanted)
}

/** Walks from the leaf upwards; each certificate must be signed by the next one until the anchor is met. */
const isUnderAnchor = (chain: readonly X509Certificate[], record: TlsaRecord, now: Date): boolean => {
  const path = [...chain, ...anchorInRecord(record)]
  for (const [index, certificate] of path.entries()) {
    if (!isInTime(certificate, now)) return false
    if (index > 0 && matches(certificate, record)) return true
    const issuer = path[index + 1]
    if (!issuer || !certificate.checkIssued(issuer) || !certificate.verify(issuer.publicKey)) {
      return false
    }
  }
  return false
}

/** The whole certificate can be in the record, and then need not be in the chain (RFC 7672 §3.1.2). */
const anchorInRecord = ({ selector, matchingType, certificate }: TlsaRecord): X509Certificate[] => {
  if (selector !== 0 || matchingType !== 0) return []
  try {
    return [new X509Certificate(certificate)]
  } catch {
    return []
  }
}

const isInTime = (certificate: X509Certificate, now: Date): boolean =>
  certificate.validFromDate <= now && certificate.validToDate >= now

const hasName = (leaf: X509Certificate, names: readonly string[]): boolean =>
  names.some((name) => checkServerIdentity(name, leaf.toLegacyObject()) === undefined)
