import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { parseCidr } from '../http/client-address.ts'
import { type Host, parseHost } from './address.ts'

/** Targets inside that an operator or the caller vouches for. Plain http and every port are allowed for them. */
export type PrivateHosts = {
  /** Vouched for by its name (or address) as it stands in the URL: it may have any address. */
  includes(host: Host, port: number): boolean
  /** Vouched for by a range, whatever it is called. */
  covers(address: string): boolean
  readonly hasRanges: boolean
}

/** Reads a list of `host`, `host:port`, `[::1]:port` and ranges such as `10.0.0.0/8`; throws on anything else. */
export const parsePrivateHosts = (list: readonly string[]): PrivateHosts => {
  const ranges = list.filter((text) => text.includes('/')).map(parseCidr)
  const hosts = list.filter((text) => !text.includes('/')).map(parseEntry)
  return {
    includes: (host, port) =>
      hosts.some((entry) => entry.text === textOf(host) && (entry.port === null || entry.port === port)),
    covers: (text) => {
      if (isIP(text) === 0 || text.includes('%')) return false
      const address = ipaddr.process(text)
      return ranges.some((range) => address.kind() === range[0].kind() && address.match(range))
    },
    hasRanges: ranges.length > 0,
  }
}

/** Covers every host that `a` or `b` covers. */
export const joinPrivateHosts = (a: PrivateHosts, b: PrivateHosts): PrivateHosts => ({
  includes: (host, port) => a.includes(host, port) || b.includes(host, port),
  covers: (address) => a.covers(address) || b.covers(address),
  hasRanges: a.hasRanges || b.hasRanges,
})

const parseEntry = (text: string): { text: string; port: number | null } => {
  const [, hostPart = text, portPart] = isIP(text) === 6 ? [] : (/^(.*?)(?::(\d{1,5}))?$/.exec(text) ?? [])
  const host = parseHost(hostPart)
  const port = portPart === undefined ? null : Number(portPart)
  if (host === null || port === 0 || (port ?? 1) > 65_535)
    throw new TypeError(`'${text}' isn't a host, host:port or a range like 10.0.0.0/8`)
  return { text: textOf(host), port }
}

const textOf = (host: Host): string => (host.kind === 'address' ? host.address : host.name)
