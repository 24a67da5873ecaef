import { type DnsProviderDescription, TOKEN_FIELD } from './describe.ts'

export const cloudflare: DnsProviderDescription = {
  name: 'Cloudflare',
  nameservers: /\.ns\.cloudflare\.com$/,
  apiBase: 'https://api.cloudflare.com/client/v4',
  fields: TOKEN_FIELD,
  help: 'Create one with the “Edit zone DNS” template, for this zone only.',
  docsUrl: 'https://developers.cloudflare.com/fundamentals/api/get-started/create-token/',
}
