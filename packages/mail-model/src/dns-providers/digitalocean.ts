import { type DnsProviderDescription, TOKEN_FIELD } from './describe.ts'

export const digitalocean: DnsProviderDescription = {
  name: 'DigitalOcean',
  nameservers: /^ns[1-3]\.digitalocean\.com$/,
  apiBase: 'https://api.digitalocean.com/v2',
  fields: TOKEN_FIELD,
  help: 'A personal access token that can read and write domains.',
  docsUrl: 'https://docs.digitalocean.com/reference/api/create-personal-access-token/',
}
