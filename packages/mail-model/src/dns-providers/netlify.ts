import { type DnsProviderDescription, TOKEN_FIELD } from './describe.ts'

export const netlify: DnsProviderDescription = {
  name: 'Netlify',
  nameservers: /^dns[1-4]\.p\d\d\.nsone\.net$/,
  apiBase: 'https://api.netlify.com/api/v1',
  fields: TOKEN_FIELD,
  help: 'A personal access token.',
  docsUrl: 'https://docs.netlify.com/api-and-cli-guides/api-guides/get-started-with-api/',
}
