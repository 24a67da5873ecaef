import { type DnsProviderDescription, TOKEN_FIELD } from './describe.ts'

export const desec: DnsProviderDescription = {
  name: 'deSEC',
  nameservers: /^ns[12]\.desec\.(io|org)$/,
  apiBase: 'https://desec.io/api/v1',
  fields: TOKEN_FIELD,
  help: 'An API token of your account.',
  docsUrl: 'https://desec.readthedocs.io/en/latest/auth/tokens.html',
}
