import { type DnsProviderId, dnsProviders } from '@stoa/mail-model/dns-providers/index.ts'
import { getDomain } from 'tldts'
import type { DnsApiBases } from '../config/dns-apis.ts'
import type { Credentials, Zone } from './adapter.ts'
import { createApi } from './api.ts'
import { openZoneAt } from './providers/index.ts'

/** Where the providers' APIs are, and which DNS servers find them; none are the system's. */
export type ZoneSettings = { readonly dnsApiBases: DnsApiBases; readonly dnsResolvers: readonly string[] }
export type ZoneAccess = { credentials: Credentials; domain: string }

/** The zone that a name belongs to, at a provider; null when these credentials know none. */
export const findZone = (
  settings: ZoneSettings,
  provider: DnsProviderId,
  { credentials, domain }: ZoneAccess,
): Promise<Zone | null> => {
  const own = settings.dnsApiBases.get(provider)
  const api = createApi({
    base: own ?? dnsProviders[provider].apiBase,
    isOwn: own !== undefined,
    credentials,
    resolvers: settings.dnsResolvers,
  })
  return openZoneAt[provider](api, credentials, zoneNames(domain))
}

/** The names that the zone of a domain can have: its own, and those above it that somebody can own. */
const zoneNames = (domain: string): string[] => {
  const top = getDomain(domain, { allowPrivateDomains: true }) ?? domain
  const labels = domain
    .slice(0, Math.max(0, domain.length - top.length))
    .split('.')
    .filter(Boolean)
  return [...labels.map((_label, index) => `${labels.slice(index).join('.')}.${top}`), top]
}
