import { hostOfUrl, isPublicAddress } from '@stoa/kit/egress/address.ts'
import type { Egress } from '@stoa/kit/egress/egress.ts'
import { EgressRefused } from '@stoa/kit/egress/errors.ts'
import ipaddr from 'ipaddr.js'

/** Where Ollama listens by default. */
export const DEFAULT_BASE_URL = 'http://127.0.0.1:11434'

/** The form in which the egress names a private target. */
export const hostAndPortOf = (text: string): string => {
  const url = new URL(text)
  return `${url.hostname}:${url.port || (url.protocol === 'https:' ? 443 : 80)}`
}

/**
 * The address of a local model server in its plain form; throws EgressRefused. An admin may name any machine of their
 * network, and no address that answers with the secrets of the machine itself.
 */
export const checkBaseUrl = (egress: Pick<Egress, 'checkForm'>, text: string): string => {
  const parsed = URL.parse(text)
  if (parsed === null || parsed.search !== '' || text.includes('#')) throw new EgressRefused('invalid_url')
  if (isMetadataHost(parsed)) throw new EgressRefused('not_public')
  const { url } = egress.checkForm(text, { privateHosts: [hostAndPortOf(text)] })
  return url.replace(/\/+$/, '')
}

/** Metadata addresses, at which clouds give a machine its own credentials. */
const METADATA = new Set(['168.63.129.16', '100.100.100.200', '192.0.0.192', 'fd00:ec2::254'])

const isMetadataHost = (url: URL): boolean => {
  const host = hostOfUrl(url)
  if (host === null || host.kind === 'name') return false
  const address = ipaddr.process(host.address)
  if (METADATA.has(address.toString())) return true
  return !isPublicAddress(host.address) && !MODEL_SERVERS.has(address.range())
}

/** Ranges in which machines of one's own are. */
const MODEL_SERVERS = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat'])
