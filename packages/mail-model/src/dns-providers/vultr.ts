import { type DnsProviderDescription, TOKEN_FIELD } from './describe.ts'

export const vultr: DnsProviderDescription = {
  name: 'Vultr',
  nameservers: /^ns[12]\.vultr\.com$/,
  apiBase: 'https://api.vultr.com/v2',
  fields: TOKEN_FIELD,
  help: "The API key of your account, with this server's IP address allowed.",
  docsUrl: 'https://my.vultr.com/settings/#settingsapi',
}
