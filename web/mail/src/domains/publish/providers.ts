import type { CredentialField } from '@stoa/mail-model/dns.ts'

/** A DNS provider that the service can write records to. */
export type Provider = {
  id: string
  name: string
  /** One field is sent as `token`, several as `credentials`. */
  fields: readonly CredentialField[]
  /** Where its owner makes the credential. */
  docsUrl: string
  /** Writes the whole zone at once, which its owner confirms. */
  replacesZone?: true
  /** What the credential must be allowed to do. */
  hint: string
}

const token: readonly CredentialField[] = [{ name: 'token', label: 'API token', secret: true }]

/** As the service has them: the API tells the fields only of the provider that it detected. */
export const providers: readonly Provider[] = [
  {
    id: 'cloudflare',
    name: 'Cloudflare',
    fields: token,
    docsUrl: 'https://developers.cloudflare.com/fundamentals/api/get-started/create-token/',
    hint: 'Create one with the “Edit zone DNS” template, for this zone only.',
  },
  {
    id: 'desec',
    name: 'deSEC',
    fields: token,
    docsUrl: 'https://desec.readthedocs.io/en/latest/auth/tokens.html',
    hint: 'An API token of your account.',
  },
  {
    id: 'digitalocean',
    name: 'DigitalOcean',
    fields: token,
    docsUrl: 'https://docs.digitalocean.com/reference/api/create-personal-access-token/',
    hint: 'A personal access token that can read and write domains.',
  },
  {
    id: 'dnsimple',
    name: 'DNSimple',
    fields: token,
    docsUrl: 'https://support.dnsimple.com/articles/api-access-token/',
    hint: 'An access token of your account.',
  },
  {
    id: 'gandi',
    name: 'Gandi',
    fields: token,
    docsUrl: 'https://docs.gandi.net/en/managing_an_organization/organizations/personal_access_token.html',
    hint: 'A personal access token that can manage domain configurations.',
  },
  {
    id: 'godaddy',
    name: 'GoDaddy',
    fields: [
      { name: 'api_key', label: 'API key', secret: true },
      { name: 'api_secret', label: 'API secret', secret: true },
    ],
    docsUrl: 'https://developer.godaddy.com/keys',
    hint: 'A production key with its secret.',
  },
  {
    id: 'hetzner',
    name: 'Hetzner',
    fields: token,
    docsUrl: 'https://docs.hetzner.com/cloud/api/getting-started/generating-api-token/',
    hint: 'A read and write token of the project that has the zone.',
  },
  {
    id: 'linode',
    name: 'Linode',
    fields: token,
    docsUrl: 'https://techdocs.akamai.com/cloud-computing/docs/manage-personal-access-tokens',
    hint: 'A personal access token that can read and write domains.',
  },
  {
    id: 'namecheap',
    name: 'Namecheap',
    fields: [
      { name: 'api_user', label: 'API user', secret: false },
      { name: 'api_key', label: 'API key', secret: true },
      { name: 'client_ip', label: 'Allowed IP address of this server', secret: false },
    ],
    docsUrl: 'https://www.namecheap.com/support/api/intro/',
    replacesZone: true,
    hint: "Turn on API access and allow this server's IP address.",
  },
  {
    id: 'netlify',
    name: 'Netlify',
    fields: token,
    docsUrl: 'https://docs.netlify.com/api-and-cli-guides/api-guides/get-started-with-api/',
    hint: 'A personal access token.',
  },
  {
    id: 'porkbun',
    name: 'Porkbun',
    fields: [
      { name: 'api_key', label: 'API key', secret: true },
      { name: 'secret_key', label: 'Secret API key', secret: true },
    ],
    docsUrl: 'https://kb.porkbun.com/article/190-getting-started-with-the-porkbun-api',
    hint: 'Turn on API access for the domain.',
  },
  {
    id: 'route53',
    name: 'Amazon Route 53',
    fields: [
      { name: 'access_key_id', label: 'Access key ID', secret: false },
      { name: 'secret_access_key', label: 'Secret access key', secret: true },
    ],
    docsUrl: 'https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_access-keys.html',
    hint: 'A key that can list hosted zones, and list and change their record sets.',
  },
  {
    id: 'vercel',
    name: 'Vercel',
    fields: token,
    docsUrl: 'https://vercel.com/kb/guide/how-do-i-use-a-vercel-api-access-token',
    hint: 'An access token of the account or team that has the domain.',
  },
  {
    id: 'vultr',
    name: 'Vultr',
    fields: token,
    docsUrl: 'https://my.vultr.com/settings/#settingsapi',
    hint: "The API key of your account, with this server's IP address allowed.",
  },
]

export const providerOf = (id: string): Provider | undefined => providers.find((provider) => provider.id === id)
