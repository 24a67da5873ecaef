import { isIPv4, isIPv6 } from 'node:net'
import { domainToASCII } from 'node:url'

const MAX_NAME = 253
const LABEL = /^[\x21-\x7e]{1,63}$/

/** A name as it is asked for: ASCII, lower case, without the closing dot. Null when DNS cannot hold it. */
export const askedName = (given: string): string | null => {
  const name = canonicalName(/^\p{ASCII}*$/u.test(given) ? given : domainToASCII(given))
  return name.length <= MAX_NAME && name.split('.').every((label) => LABEL.test(label)) ? name : null
}

/** The form in which names are compared. The root, as in a null MX, is empty. */
export const canonicalName = (name: string): string => name.toLowerCase().replace(/\.$/, '')

/** The name that holds the PTR record of an address (RFC 1035 §3.5, RFC 3596 §2.5). Null when it is no address. */
export const reverseName = (ip: string): string | null => {
  if (isIPv4(ip)) return `${ip.split('.').reverse().join('.')}.in-addr.arpa`
  if (!isIPv6(ip)) return null
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped !== undefined) return reverseName(mapped)
  return `${[...groupsOf(ip).join('')].reverse().join('.')}.ip6.arpa`
}

/** The eight groups of an IPv6 address, four digits each. */
const groupsOf = (ip: string): string[] => {
  const [head = [], tail] = withoutIpv4(ip.replace(/%.*$/, ''))
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''))
  const missing = tail === undefined ? 0 : 8 - head.length - tail.length
  return [...head, ...Array.from({ length: missing }, () => '0'), ...(tail ?? [])].map((group) =>
    group.padStart(4, '0'),
  )
}

const withoutIpv4 = (ip: string): string =>
  ip.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, a: string, b: string, c: string, d: string) =>
    [
      [a, b],
      [c, d],
    ]
      .map(([high, low]) => ((Number(high) << 8) | Number(low)).toString(16))
      .join(':'),
  )
