import ipaddr from 'ipaddr.js'

export type Cidr = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** Parses `10.0.0.0/8` or a single address; throws on anything else. */
export const parseCidr = (text: string): Cidr => {
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.parse(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

export type AddressPolicy = { clientOf(remote: string, forwardedFor: string | undefined): string }

/** More hops than any real chain of proxies. */
const MAX_HOPS = 32

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
        // What follows an unreadable hop was written by someone else than our proxies.
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

const parse = (text: string): ipaddr.IPv4 | ipaddr.IPv6 | null => (ipaddr.isValid(text) ? ipaddr.process(text) : null)

/** One spelling per address; IPv4-mapped IPv6 becomes IPv4, a port or brackets around it are dropped. */
const canonical = (text: string): string | null => {
  if (isPlainIpv4(text)) return text
  const bare = text.startsWith('[') ? text.slice(1, text.indexOf(']')) : text.replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
  return parse(bare.split('%')[0] ?? '')?.toString() ?? null
}

const isPlainIpv4 = (text: string): boolean =>
  /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/.test(text)
