import type { DnsProvider } from '@stoa/mail-model/dns.ts'
import { publishProviderOf } from '@stoa/mail-model/dns-providers/index.ts'
import { type CheckParts, freshResolver, nameserversOf, providerOf } from '../../hosting/dns-records/dns-records.ts'

/** Who runs the name servers of a domain, and what publishing there needs. */
export const detectProvider = async (
  { config, clock }: Pick<CheckParts, 'config' | 'clock'>,
  domain: string,
): Promise<DnsProvider> => {
  const nameservers = (await nameserversOf(freshResolver(config, clock), domain)) ?? []
  const known = providerOf(nameservers)
  const published = publishProviderOf(known?.id ?? '')
  return {
    object: 'dns_provider',
    domain,
    provider: known?.id ?? null,
    name: known?.name ?? null,
    nameservers: [...nameservers].sort(),
    publish_supported: published !== undefined,
    credential_fields: [...(published?.fields ?? [])],
    docs_url: published?.docsUrl ?? null,
  }
}
