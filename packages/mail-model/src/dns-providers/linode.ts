import { type DnsProviderDescription, TOKEN_FIELD } from './describe.ts'

export const linode: DnsProviderDescription = {
  name: 'Linode',
  nameservers: /^ns[1-5]\.linode\.com$/,
  apiBase: 'https://api.linode.com/v4',
  fields: TOKEN_FIELD,
  help: 'A personal access token that can read and write domains.',
  docsUrl: 'https://techdocs.akamai.com/cloud-computing/docs/manage-personal-access-tokens',
}
