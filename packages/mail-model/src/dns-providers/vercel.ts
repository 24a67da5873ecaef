import { type DnsProviderDescription, TOKEN_FIELD } from './describe.ts'

export const vercel: DnsProviderDescription = {
  name: 'Vercel',
  nameservers: /^ns[12]\.vercel-dns\.com$/,
  apiBase: 'https://api.vercel.com',
  fields: TOKEN_FIELD,
  help: 'An access token of the account or team that has the domain.',
  docsUrl: 'https://vercel.com/kb/guide/how-do-i-use-a-vercel-api-access-token',
}
