import { type DnsProviderDescription, TOKEN_FIELD } from './describe.ts'

export const gandi: DnsProviderDescription = {
  name: 'Gandi',
  nameservers: /\.gandi\.net$/,
  apiBase: 'https://api.gandi.net/v5/livedns',
  fields: TOKEN_FIELD,
  help: 'A personal access token that can manage domain configurations.',
  docsUrl: 'https://docs.gandi.net/en/managing_an_organization/organizations/personal_access_token.html',
}
