import type { DnsProviderDescription } from './describe.ts'

export const namecheap: DnsProviderDescription = {
  name: 'Namecheap',
  nameservers: /^dns[12]\.registrar-servers\.com$/,
  apiBase: 'https://api.namecheap.com/xml.response',
  fields: [
    { name: 'api_user', label: 'API user', secret: false },
    { name: 'api_key', label: 'API key', secret: true },
    { name: 'client_ip', label: 'Allowed IP address of this server', secret: false },
  ],
  help: "Turn on API access and allow this server's IP address.",
  docsUrl: 'https://www.namecheap.com/support/api/intro/',
  replacesZone: true,
}
