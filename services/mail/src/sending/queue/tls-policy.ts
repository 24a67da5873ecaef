import { DnsError, type Resolver } from '../../wire/dns/dns.ts'
import { type TlsaRecord, usableRecords } from './dane.ts'
import type { StsPolicy } from './mta-sts.ts'

/** What a connection to one host must be: decided before it is made. */
export type TlsPolicy =
  /** Encrypted if the peer can, with any certificate. */
  | { kind: 'opportunistic'; counted: 'no-policy-found' | 'sts' }
  /** Encrypted, with any certificate. */
  | { kind: 'encrypted'; counted: 'no-policy-found' | 'tlsa' }
  /** Encrypted, with a certificate that the usual authorities vouch for. */
  | { kind: 'verified'; counted: 'sts' | 'no-policy-found' }
  /** Encrypted, with what the TLSA records say. */
  | { kind: 'dane'; counted: 'tlsa'; records: readonly TlsaRecord[]; names: readonly string[] }

export type HostDecision = { policy: TlsPolicy } | { refused: string; result: TlsResult; counted: 'tlsa' | 'sts' }

/** RFC 8460 §4.3 */
export type TlsResult =
  | 'success'
  | 'starttls-not-supported'
  | 'certificate-host-mismatch'
  | 'certificate-expired'
  | 'certificate-not-trusted'
  | 'validation-failure'
  | 'tlsa-invalid'
  | 'dnssec-invalid'
  | 'sts-policy-fetch-error'
  | 'sts-policy-invalid'

export type PolicyInput = {
  domain: string
  host: string
  port: number
  /** Whether the names of the hosts came signed: without that, what is said about them proves nothing. */
  isAuthentic: boolean
  sts: StsPolicy | null
  requiresTls: boolean
}

/** DANE before MTA-STS before opportunistic TLS (RFC 7672, RFC 8461 §2). */
export const decideTls = async (resolver: Resolver, input: PolicyInput): Promise<HostDecision> => {
  if (input.isAuthentic) {
    const dane = await decideDane(resolver, input)
    if (dane) return dane
  }
  const { sts } = input
  if (sts?.mode === 'enforce') {
    if (!isListed(sts, input.host))
      return { refused: `${input.host} is not in the MTA-STS policy`, result: 'validation-failure', counted: 'sts' }
    return { policy: { kind: 'verified', counted: 'sts' } }
  }
  const counted = sts?.mode === 'testing' ? 'sts' : 'no-policy-found'
  if (input.requiresTls) return { policy: { kind: 'encrypted', counted: 'no-policy-found' } }
  return { policy: { kind: 'opportunistic', counted } }
}

/** RFC 8461 §4.1: a star stands for exactly one label. */
export const isListed = ({ mx }: StsPolicy, host: string): boolean => {
  const name = host.toLowerCase()
  return mx.some((pattern) => {
    const wanted = pattern.toLowerCase()
    if (!wanted.startsWith('*.')) return wanted === name
    const dot = name.indexOf('.')
    return dot > 0 && name.slice(dot) === wanted.slice(1)
  })
}

const decideDane = async (resolver: Resolver, input: PolicyInput): Promise<HostDecision | null> => {
  try {
    const { records, authentic } = await resolver.tlsa(`_${input.port}._tcp.${input.host}`)
    if (!authentic || records.length === 0) return null
    const usable = usableRecords(records)
    // RFC 7672 §2.2: there are records, so there is TLS, though nothing to compare it with.
    if (usable.length === 0) return { policy: { kind: 'encrypted', counted: 'tlsa' } }
    return { policy: { kind: 'dane', counted: 'tlsa', records: usable, names: [input.host, input.domain] } }
  } catch (error) {
    if (!(error instanceof DnsError)) throw error
    if (error.kind === 'none') return null
    // RFC 7672 §2.1.2: an attacker could suppress the answer.
    return {
      refused: `the TLSA records of ${input.host} could not be looked up`,
      result: 'dnssec-invalid',
      counted: 'tlsa',
    }
  }
}
