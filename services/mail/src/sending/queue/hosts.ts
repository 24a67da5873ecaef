import { isIP } from 'node:net'
import { isPublicAddress } from '@stoa/kit/egress/address.ts'
import { DnsError, type Resolver } from '../../wire/dns/dns.ts'

export type MxHost = { name: string; addresses: readonly string[] }

/** Where mail for a domain goes: hosts in the order to try them, or why there is nowhere. */
export type Hosts =
  | { kind: 'hosts'; hosts: readonly MxHost[]; isImplicit: boolean }
  | { kind: 'none'; status: string; reason: string }
  | { kind: 'temporary'; status: string; reason: string }

export type HostRules = {
  /** The names that this service answers to. */
  own: readonly string[]
  allowPrivate: boolean
}

/** RFC 5321 §5.1 asks for two at least; a thousand would only keep us busy. */
const MAX_HOSTS = 10
const MAX_ADDRESSES_PER_HOST = 6

/** Looks up the hosts of a domain (RFC 5321 §5.1, RFC 7505), each with the addresses that may be reached. */
export const findHosts = async (resolver: Resolver, domain: string, rules: HostRules): Promise<Hosts> => {
  const literal = addressLiteral(domain)
  if (literal !== null) return reachable([{ name: literal, addresses: [literal] }], rules, true)
  try {
    const records = await mxOf(resolver, domain)
    if (records.some(isNull)) return none('5.1.10', 'the domain does not accept mail')
    if (records.length === 0) return await implicitHost(resolver, domain, rules)
    const better = betterThanUs(records, rules.own)
    if (better.length === 0) return none('5.4.6', 'the domain points back to this server')
    const names = inOrder(better)
    const hosts = await addressesOf(resolver, names.slice(0, MAX_HOSTS))
    if (hosts.length === 0) return none('5.4.4', 'the mail servers of the domain have no IP address')
    return reachable(hosts, rules, false)
  } catch (error) {
    if (error instanceof DnsError) return temporary('4.4.3', 'DNS lookup of the mail servers failed')
    throw error
  }
}

type Mx = { exchange: string; priority: number }

const mxOf = async (resolver: Resolver, domain: string): Promise<Mx[]> => {
  try {
    return await resolver.mx(domain)
  } catch (error) {
    if (error instanceof DnsError && error.kind === 'none') return []
    throw error
  }
}

const isNull = ({ exchange }: Mx): boolean => exchange === '' || exchange === '.'

/** RFC 5321 §5.1: without MX records, the domain's own addresses. */
const implicitHost = async (resolver: Resolver, domain: string, rules: HostRules): Promise<Hosts> => {
  if (rules.own.includes(domain)) return none('5.4.6', 'the domain points back to this server')
  const hosts = await addressesOf(resolver, [domain])
  if (hosts.length === 0) return none('5.1.2', 'the domain does not exist or has no mail server')
  return reachable(hosts, rules, true)
}

/** RFC 5321 §5.1: hosts that are no better than ourselves would only send it back. */
const betterThanUs = (records: readonly Mx[], own: readonly string[]): Mx[] => {
  const ours = records.filter(({ exchange }) => own.includes(canonical(exchange))).map(({ priority }) => priority)
  const limit = Math.min(...ours, Number.POSITIVE_INFINITY)
  return records.filter(({ priority }) => priority < limit)
}

/** Among equals in any order, so that they share the load. */
const inOrder = (records: readonly Mx[]): string[] => {
  const order = new Map(records.map((record) => [record, record.priority + Math.random()]))
  const sorted = records.toSorted((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0))
  return [...new Set(sorted.map(({ exchange }) => canonical(exchange)))].filter((name) => HOST_NAME.test(name))
}

/** DNS may hold any text as a host; names beyond these characters would end up in logs, traces and reports. */
const HOST_NAME = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/

const canonical = (name: string): string => name.toLowerCase().replace(/\.$/, '')

/** Fails only when no host has addresses and one of them could not be looked up. */
const addressesOf = async (resolver: Resolver, names: readonly string[]): Promise<MxHost[]> => {
  const found = await Promise.allSettled(
    names.map(async (name) => ({ name, addresses: isIP(name) ? [name] : await resolver.addresses(name) })),
  )
  const hosts = found.flatMap((answer) =>
    answer.status === 'fulfilled' && answer.value.addresses.length > 0 ? [answer.value] : [],
  )
  if (hosts.length > 0) return hosts
  for (const answer of found) {
    if (answer.status === 'fulfilled') continue
    if (!(answer.reason instanceof DnsError) || answer.reason.kind !== 'none') throw answer.reason
  }
  return []
}

const reachable = (hosts: readonly MxHost[], { allowPrivate }: HostRules, isImplicit: boolean): Hosts => {
  const allowed = hosts.flatMap(({ name, addresses }) => {
    const usable = allowPrivate ? addresses : addresses.filter(isPublicAddress)
    return usable.length > 0 ? [{ name, addresses: alternate(usable).slice(0, MAX_ADDRESSES_PER_HOST) }] : []
  })
  if (allowed.length > 0) return { kind: 'hosts', hosts: allowed, isImplicit }
  return none('5.4.4', 'the mail servers of the domain have no public IP address')
}

/** IPv6 and IPv4 in turn (RFC 8305 §4), so that a network without one of them costs one try. */
const alternate = (addresses: readonly string[]): string[] => {
  const six = addresses.filter((address) => isIP(address) === 6)
  const four = addresses.filter((address) => isIP(address) === 4)
  return Array.from({ length: Math.max(six.length, four.length) }, (_, at) => [six[at], four[at]])
    .flat()
    .filter((address) => address !== undefined)
}

/** `[192.0.2.1]` or `[IPv6:2001:db8::1]` (RFC 5321 §4.1.3). */
const addressLiteral = (domain: string): string | null => {
  const inner = /^\[(?:ipv6:)?([^\]]+)\]$/i.exec(domain)?.[1]
  return inner !== undefined && isIP(inner) !== 0 ? inner : null
}

const none = (status: string, reason: string): Hosts => ({ kind: 'none', status, reason })
const temporary = (status: string, reason: string): Hosts => ({ kind: 'temporary', status, reason })
