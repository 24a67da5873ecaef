import type { DnsProviderDescription } from './describe.ts'

export const godaddy: DnsProviderDescription = {
  name: 'GoDaddy',
  nameservers: /^ns\d\d\.domaincontrol\.com$/,
  apiBase: 'https://api.godaddy.com/v1',
  fields: [
    { name: 'api_key', label: 'API key', secret: true },
    { name: 'api_secret', label: 'API secret', secret: true },
  ],
  help: 'A production key with its secret.',
  docsUrl: 'https://developer.godaddy.com/keys',
}
