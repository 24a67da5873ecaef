import { type DnsProviderDescription, TOKEN_FIELD } from './describe.ts'

export const cloudflare: DnsProviderDescription = {
  name: 'Cloudflare',
  nameservers: /\.ns\.cloudflare\.com$/,
  apiBase: 'https://api.cloudflare.com/client/v4',
  fields: TOKEN_FIELD,
  help: 'Make one with the template “Edit zone DNS”, for this zone only.',
  docsUrl: 'https://developers.cloudflare.com/fundamentals/api/get-started/create-token/',
}
