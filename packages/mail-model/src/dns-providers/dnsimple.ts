import { type DnsProviderDescription, TOKEN_FIELD } from './describe.ts'

export const dnsimple: DnsProviderDescription = {
  name: 'DNSimple',
  nameservers: /^ns\d+\.dnsimple(\.com|-edge\.(com|net|org))$/,
  apiBase: 'https://api.dnsimple.com/v2',
  fields: TOKEN_FIELD,
  help: 'An access token of your account.',
  docsUrl: 'https://support.dnsimple.com/articles/api-access-token/',
}
