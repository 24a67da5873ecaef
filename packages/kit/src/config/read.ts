import ipaddr from 'ipaddr.js'

/** Readers of configuration texts: the value, or undefined when the text is not one. */

const MAX_ITEMS = 1000

export const readInteger = (text: string, min: number, max: number): number | undefined => {
  const value = /^-?\d{1,15}$/.test(text.trim()) ? Number(text) : Number.NaN
  return value >= min && value <= max ? value : undefined
}

// Sizes are powers of 1024, as operating systems count memory and the mail and upload limits are given.
const UNITS: Readonly<Record<string, number>> = { '': 1, b: 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40 }

export const readBytes = (text: string): number | undefined => {
  const [, digits, unit = ''] = /^(\d{1,15}(?:\.\d{1,3})?)\s*(?:([kmgt])(?:i?b)?|b|bytes)?$/i.exec(text.trim()) ?? []
  const size = Math.floor(Number(digits) * (UNITS[unit.toLowerCase()] ?? Number.NaN))
  return Number.isSafeInteger(size) ? size : undefined
}

export const readUrl = (text: string, schemes: readonly string[]): string | undefined => {
  const address = parseUrl(text, schemes)
  return address?.href.replace(/\/$/, '')
}

export const readOrigin = (text: string): string | undefined => {
  const address = parseUrl(text, ['http', 'https'])
  if (!address || address.username || address.password) return undefined
  return address.pathname === '/' && !address.search && !address.hash ? address.origin : undefined
}

export const readCidr = (text: string): string | undefined => {
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text)) {
    const [network, bits] = ipaddr.parseCIDR(text)
    return `${network.toString()}/${bits}`
  }
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return `${text}/32`
  return text.includes(':') && ipaddr.IPv6.isValid(text) ? `${ipaddr.IPv6.parse(text).toString()}/128` : undefined
}

const HOST = /^(?!-)[A-Za-z0-9_-]{1,63}(?:\.[A-Za-z0-9_-]{1,63})*\.?$/

export const readHostPort = (text: string, defaultPort: number): string | undefined => {
  if (ipaddr.IPv6.isValid(text) && text.includes(':')) return `[${text}]:${defaultPort}`
  const [, bracketed, plain, portText] = /^(?:\[([^\]]*)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  const port = portText === undefined ? defaultPort : readInteger(portText, 1, 65_535)
  if (port === undefined) return undefined
  if (bracketed !== undefined) return ipaddr.IPv6.isValid(bracketed) ? `[${bracketed}]:${port}` : undefined
  return plain !== undefined && plain.length <= 253 && HOST.test(plain) ? `${plain}:${port}` : undefined
}

/** Items between commas, trimmed, each once; undefined when one of them is not readable. */
export const readList = <T>(text: string, read: (item: string) => T | undefined): T[] | undefined => {
  const items = text.split(',', MAX_ITEMS + 1).map((item) => item.trim())
  if (items.length > MAX_ITEMS) return undefined
  const values: T[] = []
  for (const item of items) {
    if (item === '') continue
    const value = read(item)
    if (value === undefined) return undefined
    if (!values.includes(value)) values.push(value)
  }
  return values
}

const parseUrl = (text: string, schemes: readonly string[]): URL | undefined => {
  const address = URL.parse(text.trim())
  return address && schemes.includes(address.protocol.slice(0, -1)) && address.host !== '' ? address : undefined
}
