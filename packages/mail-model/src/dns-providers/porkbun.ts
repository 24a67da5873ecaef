import type { DnsProviderDescription } from './describe.ts'

export const porkbun: DnsProviderDescription = {
  name: 'Porkbun',
  nameservers: /\.porkbun\.com$/,
  apiBase: 'https://api.porkbun.com/api/json/v3',
  fields: [
    { name: 'api_key', label: 'API key', secret: true },
    { name: 'secret_key', label: 'Secret API key', secret: true },
  ],
  help: 'Turn on API access for the domain.',
  docsUrl: 'https://kb.porkbun.com/article/190-getting-started-with-the-porkbun-api',
}
