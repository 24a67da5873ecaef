/** IP networks as text: one spelling each, so that they can be compared and looked up. */

type Ip = { readonly bits: 32 | 128; readonly value: bigint }

/** Wider ones would be a large part of the internet: a slip, not a wish. */
const FEWEST_BITS = { 32: 8, 128: 16 } as const

/** `192.0.2.7`, `192.0.2.0/24`, `2001:db8::/32`: the address of a network, and no `/32` after a single one. */
export const parseNetwork = (text: string): string | null => {
  const [, given = '', suffix] = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text.trim()) ?? []
  const ip = parseIp(given)
  if (ip === null) return null
  // A mapped address is an IPv4 address, so its length is counted from there.
  const isMapped = ip.bits === 32 && given.includes(':')
  const length = suffix === undefined ? ip.bits : Number(suffix) - (isMapped ? 96 : 0)
  return length < FEWEST_BITS[ip.bits] || length > ip.bits ? null : formatNetwork(ip, length)
}

/** Every network that an address is in, the narrowest first; none when it is no address. */
export const networksOf = (text: string): string[] => {
  const ip = parseIp(text)
  if (ip === null) return []
  const lengths = Array.from({ length: ip.bits - FEWEST_BITS[ip.bits] + 1 }, (_, nth) => ip.bits - nth)
  return lengths.map((length) => formatNetwork(ip, length))
}

/** The network that stands for a server with its neighbours: 24 bits of IPv4, 64 of IPv6. */
export const neighborhoodOf = (text: string): string | null => {
  const ip = parseIp(text)
  return ip && formatNetwork(ip, ip.bits === 32 ? 24 : 64)
}

const formatNetwork = ({ bits, value }: Ip, length: number): string => {
  const shift = BigInt(bits - length)
  const network = (value >> shift) << shift
  const address = bits === 32 ? formatIpv4(network) : formatIpv6(network)
  return length === bits ? address : `${address}/${length}`
}

/** IPv4 inside an IPv4-mapped address is IPv4. */
const parseIp = (text: string): Ip | null => {
  const ipv4 = parseIpv4(text)
  if (ipv4 !== null) return { bits: 32, value: ipv4 }
  const ipv6 = parseIpv6(text)
  if (ipv6 === null) return null
  return ipv6 >> 32n === 0xffffn ? { bits: 32, value: ipv6 & 0xffff_ffffn } : { bits: 128, value: ipv6 }
}

const parseIpv4 = (text: string): bigint | null => {
  const octets = /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text) ? text.split('.').map(Number) : []
  if (octets.length !== 4 || octets.some((octet) => octet > 255)) return null
  return octets.reduce((value, octet) => (value << 8n) | BigInt(octet), 0n)
}

const parseIpv6 = (text: string): bigint | null => {
  const [, before = '', dotted] = /^(.*:)(\d+(?:\.\d+){3})$/.exec(text) ?? []
  const last = dotted === undefined ? null : parseIpv4(dotted)
  if (dotted !== undefined && last === null) return null
  const plain = last === null ? text : `${before}${(last >> 16n).toString(16)}:${(last & 0xffffn).toString(16)}`
  const halves = plain.split('::')
  if (halves.length > 2) return null
  const [head = [], tail] = halves.map((half) => (half === '' ? [] : half.split(':')))
  const missing = 8 - head.length - (tail?.length ?? 0)
  if (tail === undefined ? missing !== 0 : missing < 1) return null
  const groups = [...head, ...Array.from({ length: missing }, () => '0'), ...(tail ?? [])]
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return null
  return groups.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n)
}

const formatIpv4 = (value: bigint): string => [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.')

/** RFC 5952: without leading zeros, and `::` for the longest run of zeros, the first of equal ones. */
const formatIpv6 = (value: bigint): string => {
  const groups = Array.from({ length: 8 }, (_, nth) => ((value >> BigInt(112 - nth * 16)) & 0xffffn).toString(16))
  const text = groups.join(':')
  const runs = [...text.matchAll(/(?:^|(?<=:))0(?::0)+(?=:|$)/g)].toSorted((a, b) => b[0].length - a[0].length)
  const [longest] = runs
  if (!longest) return text
  const head = text.slice(0, longest.index).replace(/:$/, '')
  const tail = text.slice(longest.index + longest[0].length).replace(/^:/, '')
  return `${head}::${tail}`
}
