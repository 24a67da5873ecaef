import { type Host, hostOfUrl, parseHost } from './address.ts'
import { EgressRefused } from './errors.ts'
import type { PrivateHosts } from './private-hosts.ts'

/** A place that may be asked about: its form is allowed, its addresses are not known yet. */
export type EgressTarget = {
  host: Host
  port: number
  /** Someone vouches for it by name: its addresses do not matter. */
  isTrusted: boolean
  /** The scheme or port that is only allowed if every address is in an allowed private range. */
  exception: 'scheme' | 'port' | null
}
export type UrlTarget = EgressTarget & { url: URL; isSecure: boolean }

export type TargetRules = { ports: readonly number[]; allowPrivate: boolean; privateHosts: PrivateHosts }

/** Checks everything about a URL that can be known without a network. */
export const parseUrlTarget = (text: string, rules: TargetRules): UrlTarget => {
  const url = URL.parse(text)
  if (url === null) throw new EgressRefused('invalid_url')
  const isSecure = url.protocol === 'https:'
  if (!isSecure && url.protocol !== 'http:') throw new EgressRefused('scheme')
  const host = hostOfUrl(url)
  if (host === null) throw new EgressRefused('invalid_url')
  const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port)
  const target = parseTarget(host, port, isSecure, rules)
  if (url.username !== '' || url.password !== '') throw new EgressRefused('credentials')
  return { ...target, url, isSecure }
}

/** As `parseUrlTarget`, for protocols without URLs. */
export const parseHostTarget = (hostText: string, port: number, rules: TargetRules): EgressTarget => {
  const host = parseHost(hostText)
  if (host === null) throw new EgressRefused('invalid_url')
  return parseTarget(host, port, true, rules)
}

export const hostText = (host: Host): string => (host.kind === 'address' ? host.address : host.name)

const parseTarget = (host: Host, port: number, isSecure: boolean, rules: TargetRules): EgressTarget => {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new EgressRefused('port')
  const isTrusted = rules.allowPrivate || rules.privateHosts.includes(host, port)
  const exception = isTrusted ? null : !isSecure ? 'scheme' : rules.ports.includes(port) ? null : 'port'
  if (exception !== null && !mayBeCovered(host, rules.privateHosts)) throw new EgressRefused(exception)
  return { host, port, isTrusted, exception }
}

const mayBeCovered = (host: Host, hosts: PrivateHosts): boolean =>
  host.kind === 'address' ? hosts.covers(host.address) : hosts.hasRanges
