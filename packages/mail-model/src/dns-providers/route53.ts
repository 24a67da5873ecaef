import type { DnsProviderDescription } from './describe.ts'

export const route53: DnsProviderDescription = {
  name: 'Amazon Route 53',
  nameservers: /\bawsdns-\d+\.(com|net|org|co\.uk)$/,
  apiBase: 'https://route53.amazonaws.com/2013-04-01',
  fields: [
    { name: 'access_key_id', label: 'Access key ID', secret: false },
    { name: 'secret_access_key', label: 'Secret access key', secret: true },
  ],
  help: 'A key that can list hosted zones, and list and change their record sets.',
  docsUrl: 'https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_access-keys.html',
}
