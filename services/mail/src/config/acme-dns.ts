import type { acmeDnsVariables } from '@stoa/kit/config/acme.ts'
import { ConfigError, type ConfigOf } from '@stoa/kit/config.ts'
import { Secret } from '@stoa/kit/secret.ts'
import { type DnsProviderId, publishProviderOf, publishProviders } from '@stoa/mail-model/dns-providers/index.ts'

/** Where the operator's own names are proven with a DNS record. */
export type AcmeDns = {
  readonly provider: DnsProviderId
  /** By the names of the provider's fields. */
  readonly credentials: Readonly<Record<string, Secret>>
}

/** Null: nowhere. Throws ConfigError. */
export const readAcmeDns = (values: ConfigOf<typeof acmeDnsVariables>): AcmeDns | null => {
  const { ACME_DNS_PROVIDER: id, ACME_DNS_CREDENTIALS: given } = values
  if (id === undefined) return null
  const provider = publishProviderOf(id)
  // One that takes whole zones only could lose a record that somebody else writes at the same moment.
  const usable = publishProviders.filter(({ replacesZone }) => !replacesZone).map((one) => one.id)
  if (!provider || provider.replacesZone) throw invalid('ACME_DNS_PROVIDER', `Enter one of ${usable.join(', ')}.`)
  const fields = provider.fields.map(({ name }) => name)
  const [only = ''] = fields
  const text = given?.reveal() ?? ''
  const members = fields.length === 1 && !text.startsWith('{') ? { [only]: text } : readMembers(text)
  const credentials = Object.fromEntries(fields.map((name) => [name, new Secret(String(members[name] ?? ''))]))
  if (Object.values(credentials).some((value) => value.reveal() === ''))
    throw invalid(
      'ACME_DNS_CREDENTIALS',
      fields.length === 1 ? 'Enter the API token.' : `Enter JSON with the members ${fields.join(', ')}.`,
    )
  return { provider: provider.id, credentials }
}

const readMembers = (text: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

const invalid = (name: string, problem: string): ConfigError => new ConfigError([{ name, problem }])
