import { isIP } from 'node:net'
import { isLocalhostName, LOCALHOST_ADDRESSES } from '@stoa/kit/egress/resolve.ts'
import type { Answer, RecordType, SrvData } from 'dns-packet'
import { DnsError, type DnsErrorCode } from './dns-error.ts'
import { createLookup, type Lookup, type ResolverOptions } from './lookup.ts'
import { canonicalName, reverseName } from './names.ts'

export { DnsError } from './dns-error.ts'
export type { ResolverOptions } from './lookup.ts'

export type MxRecord = { exchange: string; priority: number }
export type SrvRecord = { target: string; port: number; priority: number; weight: number }
export type TlsaRecord = { usage: number; selector: number; matchingType: number; certificate: Buffer }

/** Look-ups in DNS. They fail with DnsError: `none` when there is no such record, `temporary` when nobody could say. */
export type Resolver = {
  /** The texts of each record joined. */
  txt(name: string): Promise<string[]>
  /** In the order of their preference. The exchange of a null MX (RFC 7505) is empty. */
  mx(name: string): Promise<MxRecord[]>
  /** Addresses of both families, IPv6 first. */
  addresses(name: string, options?: { family?: 4 | 6 }): Promise<string[]>
  /** The names of an address, or of its name under `.arpa`; nobody has checked that they lead back to it. */
  ptr(ip: string): Promise<string[]>
  cname(name: string): Promise<string>
  ns(name: string): Promise<string[]>
  /** The target is empty where a service is not offered (RFC 2782). */
  srv(name: string): Promise<SrvRecord[]>
  /** Without records the list is empty; it fails only when nobody could say. */
  tlsa(name: string): Promise<{ records: TlsaRecord[]; authentic: boolean }>
  /** Whether a validating server authenticated the answer, also that there is nothing. */
  authentic(name: string, type: RecordType): Promise<boolean>
}

/** Queries the given servers, or the system's; answers are cached for their TTL, an hour at most. */
export const createResolver = (options: ResolverOptions): Resolver => {
  const lookUp = createLookup(options)
  const need = async (name: string, type: RecordType): Promise<readonly Answer[]> =>
    recordsOf(await lookUp(name, type), name)

  const oneFamily = async (name: string, type: 'A' | 'AAAA'): Promise<string[]> =>
    (await need(name, type)).flatMap((record) => (record.type === type ? [record.data] : []))

  const bothFamilies = async (name: string): Promise<string[]> => {
    const answers = await Promise.allSettled([oneFamily(name, 'AAAA'), oneFamily(name, 'A')])
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (found.length > 0) return found
    const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
    throw failures.find((error) => !(error instanceof DnsError) || error.kind === 'temporary') ?? failures[0]
  }

  const namesOf = async (name: string, type: 'PTR' | 'NS' | 'CNAME'): Promise<string[]> =>
    (await need(name, type)).flatMap((record) => (record.type === type ? [canonicalName(record.data)] : []))

  return {
    async txt(name) {
      return (await need(name, 'TXT')).flatMap((record) => (record.type === 'TXT' ? [textOf(record.data)] : []))
    },
    async mx(name) {
      const records = (await need(name, 'MX')).flatMap((record) =>
        record.type === 'MX'
          ? [{ exchange: canonicalName(record.data.exchange), priority: record.data.preference ?? 0 }]
          : [],
      )
      return records.sort((a, b) => a.priority - b.priority)
    },
    async addresses(name, { family } = {}) {
      if (isIP(name)) return [name]
      if (isLocalhostName(name)) return LOCALHOST_ADDRESSES.filter((ip) => !family || isIP(ip) === family)
      return family ? oneFamily(name, family === 4 ? 'A' : 'AAAA') : bothFamilies(name)
    },
    async ptr(ip) {
      const name = ip.endsWith('.arpa') ? ip : reverseName(ip)
      if (name === null) throw new DnsError('ENOTFOUND', 'this is not an IP address')
      return namesOf(name, 'PTR')
    },
    async cname(name) {
      const [first] = await namesOf(name, 'CNAME')
      return first ?? missing(name, 'ENODATA')
    },
    ns: (name) => namesOf(name, 'NS'),
    async srv(name) {
      return (await need(name, 'SRV')).flatMap((record) => (record.type === 'SRV' ? [srvOf(record.data)] : []))
    },
    async tlsa(name) {
      const { records, authentic } = await lookUp(name, 'TLSA')
      return { records: records.flatMap((record) => (record.type === 'TLSA' ? [record.data] : [])), authentic }
    },
    async authentic(name, type) {
      return (await lookUp(name, type)).authentic
    },
  }
}

/** The resolver in the shape that mailauth expects: as `dns.promises.resolve`. */
export const resolveForMailauth = (resolver: Resolver) => {
  // Its types forget the objects of MX records, which it reads like those of Node.
  function resolve(name: string, type: string): Promise<string[][] | string[]>
  async function resolve(name: string, type: string): Promise<unknown> {
    switch (type.toUpperCase()) {
      case 'TXT':
        return (await resolver.txt(name)).map((text) => [text])
      case 'MX':
        return resolver.mx(name)
      case 'A':
        return resolver.addresses(name, { family: 4 })
      case 'AAAA':
        return resolver.addresses(name, { family: 6 })
      case 'PTR':
        return resolver.ptr(name)
      default:
        return missing(name, 'ENODATA')
    }
  }
  return resolve
}

const srvOf = ({ target, port = 0, priority = 0, weight = 0 }: SrvData): SrvRecord => ({
  target: canonicalName(target),
  port,
  priority,
  weight,
})

const recordsOf = ({ records, absent }: Lookup, name: string): readonly Answer[] =>
  absent === null ? records : missing(name, absent)

const missing = (name: string, code: DnsErrorCode): never => {
  throw new DnsError(code, `there is no such record of ${name}`)
}

/** RFC 7208 §3.3: the strings of one record belong together, without anything between them. */
const textOf = (data: string | Buffer | readonly (string | Buffer)[]): string =>
  Buffer.concat((Array.isArray(data) ? data : [data]).map((part) => Buffer.from(part))).toString()
