import { type Host, hostOfUrl, parseHost } from './address.ts'
import { EgressRefused } from './errors.ts'

/** A place that may be asked about: its form is allowed, its addresses are not known yet. */
export type Target = { host: Host; port: number }
export type UrlTarget = Target & { url: URL; isSecure: boolean }

export type TargetRules = { ports: readonly number[]; allowPrivate: boolean }

/** Checks everything about a URL that can be known without a network. */
export const parseUrlTarget = (text: string, rules: TargetRules): UrlTarget => {
  const url = URL.parse(text)
  if (url === null) throw new EgressRefused('invalid_url')
  const isSecure = url.protocol === 'https:'
  if (!isSecure && !(rules.allowPrivate && url.protocol === 'http:')) throw new EgressRefused('scheme')
  if (url.username !== '' || url.password !== '') throw new EgressRefused('credentials')
  const host = hostOfUrl(url)
  if (host === null) throw new EgressRefused('invalid_url')
  const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port)
  refusePort(port, rules)
  return { url, isSecure, host, port }
}

/** The same for a host and a port given apart, for protocols without URLs. */
export const parseHostTarget = (hostText: string, port: number, rules: TargetRules): Target => {
  const host = parseHost(hostText)
  if (host === null) throw new EgressRefused('invalid_url')
  refusePort(port, rules)
  return { host, port }
}

export const hostText = (host: Host): string => (host.kind === 'address' ? host.address : host.name)

const refusePort = (port: number, rules: TargetRules): void => {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new EgressRefused('port')
  if (!rules.allowPrivate && !rules.ports.includes(port)) throw new EgressRefused('port')
}
