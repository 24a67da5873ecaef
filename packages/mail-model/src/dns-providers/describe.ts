import type { CredentialField } from '../dns.ts'

/** What is known about a DNS provider without calling it: the settings, the look-ups and the panel read it here. */
export type DnsProviderDescription = {
  readonly name: string
  /** Host names of its name servers, by which the provider of a domain is detected. */
  readonly nameservers: RegExp
  /** Address of its API; `DNS_API_BASE_<ID>` replaces it. */
  readonly apiBase: string
  /** One field is sent as `token`, several as `credentials`. */
  readonly fields: readonly CredentialField[]
  /** The permissions that the credentials need. */
  readonly help: string
  /** The page on which customers create the credentials. */
  readonly docsUrl: string
  /** The whole zone is written at once, so that a fault could lose records: the owner confirms it. */
  readonly replacesZone?: true
}

export const TOKEN_FIELD: readonly CredentialField[] = [{ name: 'token', label: 'API token', secret: true }]
