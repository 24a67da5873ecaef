import { isIP, isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

export type Cidr = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** Parses `10.0.0.0/8` or a single address; throws on anything else. A range of IPv4-mapped addresses becomes IPv4. */
export const parseCidr = (text: string): Cidr => {
  const [given = '', bits, ...rest] = text.split('/')
  const full = isIPv4(given) ? 32 : 128
  const prefix = bits === undefined ? full : Number(bits)
  if (isIP(given) === 0 || rest.length > 0 || !/^\d{1,3}$/.test(bits ?? '0') || prefix > full)
    throw new TypeError(`'${text}' isn't an IP address or a range like 10.0.0.0/8`)
  const address = ipaddr.parse(given)
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && prefix >= MAPPED_BITS)
    return [address.toIPv4Address(), prefix - MAPPED_BITS]
  return [address, prefix]
}

export type AddressPolicy = { clientOf(remote: string, forwardedFor: string | undefined): string }

/** More hops than any real chain of proxies. */
const MAX_HOPS = 32

/** The part of an IPv4-mapped IPv6 address before the IPv4 address. */
const MAPPED_BITS = 96

/**
 * Believes X-Forwarded-For only as far as trusted proxies wrote it: from the right, the first hop that is not one of
 * them is the client. Without trusted proxies the header is ignored.
 */
export const addressPolicy = (trusted: readonly Cidr[]): AddressPolicy => {
  const isTrusted = (text: string): boolean => {
    const address = parse(text)
    return address !== null && trusted.some((range) => address.kind() === range[0].kind() && address.match(range))
  }
  return {
    clientOf(remote, forwardedFor) {
      const peer = canonical(remote) ?? remote
      if (trusted.length === 0 || !forwardedFor || !isTrusted(peer)) return peer
      const hops = forwardedFor.split(',').slice(-MAX_HOPS).reverse()
      let client = peer
      for (const hop of hops) {
        const address = canonical(hop.trim())
        // Hops before an unreadable one were not written by our proxies.
        if (address === null) return client
        client = address
        if (!isTrusted(address)) return client
      }
      return client
    },
  }
}

/** Limits count an IPv6 network of 64 bits as one client: every customer has that many addresses to rotate through. */
export const limitKeyOf = (ip: string): string => {
  if (!ip.includes(':')) return ip
  const address = parse(ip)
  if (address === null || address.kind() !== 'ipv6') return ip
  return `${address.toByteArray().slice(0, 8).join('.')}/64`
}

/** Strict: `127.1`, `0x7f000001` and plain numbers are not addresses here. */
const parse = (text: string): ipaddr.IPv4 | ipaddr.IPv6 | null => (isIP(text) === 0 ? null : ipaddr.process(text))

/** One spelling per address; IPv4-mapped IPv6 becomes IPv4, a port or brackets around it are dropped. */
const canonical = (text: string): string | null => {
  if (isIPv4(text)) return text
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  return parse(bare.split('%')[0] ?? '')?.toString() ?? null
}
