import { type DnsProviderId, publishProviderOf, publishProviders } from '@stoa/mail-model/dns-providers/index.ts'
import { ConfigError, type ConfigOf } from '../config.ts'
import { Secret } from '../secret.ts'
import { secret, text } from './kinds.ts'

export const acmeDnsVariables = {
  ACME_DNS_PROVIDER: text({
    doc: 'DNS provider of your own host names. With it, they are proven with a DNS record instead of over HTTP.',
  }),
  ACME_DNS_CREDENTIALS: secret({
    doc: 'API token of the DNS provider, or JSON like {"key":"…","secret":"…"} if it needs several values.',
  }),
}

/** Where the operator's own names are proven with a DNS record. */
export type AcmeDns = {
  readonly provider: DnsProviderId
  /** The values by the names of the provider's fields. */
  readonly credentials: Readonly<Record<string, Secret>>
}

/** Null: nowhere. Throws ConfigError. */
export const readAcmeDns = (values: ConfigOf<typeof acmeDnsVariables>): AcmeDns | null => {
  const { ACME_DNS_PROVIDER: id, ACME_DNS_CREDENTIALS: given } = values
  if (id === undefined) return null
  const provider = publishProviderOf(id)
  // A provider that only replaces whole zones could lose a record that somebody else writes at the same moment.
  const usable = publishProviders.filter(({ replacesZone }) => !replacesZone).map((one) => one.id)
  if (!provider || provider.replacesZone) throw invalid('ACME_DNS_PROVIDER', `Enter one of ${usable.join(', ')}.`)
  const fields = provider.fields.map(({ name }) => name)
  const [only = ''] = fields
  const value = given?.reveal() ?? ''
  const members = fields.length === 1 && !value.startsWith('{') ? { [only]: value } : readMembers(value)
  const credentials = Object.fromEntries(fields.map((name) => [name, new Secret(String(members[name] ?? ''))]))
  if (Object.values(credentials).some((one) => one.reveal() === ''))
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
