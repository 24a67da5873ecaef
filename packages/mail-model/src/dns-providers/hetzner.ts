import { type DnsProviderDescription, TOKEN_FIELD } from './describe.ts'

export const hetzner: DnsProviderDescription = {
  name: 'Hetzner',
  nameservers: /(\.ns\.hetzner\.(com|de)|^ns1\.first-ns\.de|^robotns\d\.second-ns\.(de|com))$/,
  apiBase: 'https://api.hetzner.cloud/v1',
  fields: TOKEN_FIELD,
  help: 'A read and write token of the project that has the zone.',
  docsUrl: 'https://docs.hetzner.com/cloud/api/getting-started/generating-api-token/',
}
