import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { isLocalhostName } from './resolve.ts'

/** What a URL or a form names: an address written out, or a name to be resolved. */
export type Host = { kind: 'address'; address: string } | { kind: 'name'; name: string }

/**
 * True only for an address that a stranger could reach through the public internet. IPv4 inside IPv4-mapped and
 * NAT64 addresses is judged as IPv4; tunnels that hide one (6to4, Teredo, local NAT64) never pass.
 */
export const isPublicAddress = (address: string): boolean => {
  // A zone id names an interface of this machine, so such an address is never public.
  if (isIP(address) === 0 || address.includes('%')) return false
  const ip = ipaddr.parse(address)
  return ip instanceof ipaddr.IPv6 ? isPublicIpv6(ip) : isPublicIpv4(ip)
}

/**
 * Reads a host the way browsers do (WHATWG URL), so that `0x7f.1`, `2130706433` and `127.0.0.1.` are all 127.0.0.1.
 * IPv6 may have brackets. Null for anything that is not exactly one host.
 */
export const parseHost = (text: string): Host | null => {
  if (text === '' || text.length > MAX_HOST_TEXT || DELIMITERS.test(text)) return null
  const bracketed = isIP(text) === 6 ? `[${text}]` : text
  if (bracketed.includes(':') && !/^\[[^[\]]*\]$/.test(bracketed)) return null
  const url = URL.parse(`http://${bracketed}/`)
  return url === null ? null : hostOfUrl(url)
}

/** The host of a parsed http(s) URL, without brackets and without the root's trailing dot. */
export const hostOfUrl = (url: URL): Host | null => {
  const { hostname } = url
  if (hostname.startsWith('[')) return { kind: 'address', address: hostname.slice(1, -1) }
  if (isIP(hostname) === 4) return { kind: 'address', address: hostname }
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
  const labels = name.split('.')
  // RFC 1035 §2.3.4: 63 octets per label, 253 characters of text for a whole name.
  if (name.length > 253 || labels.some((label) => label.length === 0 || label.length > 63)) return null
  return { kind: 'name', name }
}

/** Whether a host is this very machine by its form alone: a loopback address, or a name that always means one. */
export const isLoopbackHost = (host: Host): boolean =>
  host.kind === 'name' ? isLocalhostName(host.name) : ipaddr.process(host.address).range() === 'loopback'

/** Longest name as percent-encoded UTF-8; only keeps absurd input away from the parser. */
const MAX_HOST_TEXT = 2_048
/** Characters that would end the host inside a URL, or that the URL parser silently drops. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const DELIMITERS = /[\u0000-\u0020\u007f/\\?#@]/

/** Azure's host agent answers on every virtual machine at an address out of a public block. */
const METADATA_IN_PUBLIC_RANGE = new Set(['168.63.129.16'])

const isPublicIpv4 = (ip: ipaddr.IPv4): boolean =>
  ip.range() === 'unicast' && !METADATA_IN_PUBLIC_RANGE.has(ip.toString())

const isPublicIpv6 = (ip: ipaddr.IPv6): boolean => {
  if (ip.isIPv4MappedAddress()) return isPublicIpv4(ip.toIPv4Address())
  if (ip.match(NAT64)) return isPublicIpv4(new ipaddr.IPv4(ip.toByteArray().slice(12)))
  return ip.match(GLOBAL_UNICAST) && ip.range() === 'unicast'
}

/** RFC 6052 §2.1: what DNS64 answers with on an IPv6-only network. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')
/** RFC 4291 §2.4 as allocated by IANA: nothing outside 2000::/3 is global unicast today. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')
