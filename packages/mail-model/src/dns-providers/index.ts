import { cloudflare } from './cloudflare.ts'
import type { DnsProviderDescription } from './describe.ts'
import { desec } from './desec.ts'
import { digitalocean } from './digitalocean.ts'
import { dnsimple } from './dnsimple.ts'
import { gandi } from './gandi.ts'
import { godaddy } from './godaddy.ts'
import { hetzner } from './hetzner.ts'
import { linode } from './linode.ts'
import { namecheap } from './namecheap.ts'
import { netlify } from './netlify.ts'
import { porkbun } from './porkbun.ts'
import { route53 } from './route53.ts'
import { vercel } from './vercel.ts'
import { vultr } from './vultr.ts'

/** The DNS providers that records can be published through, by their ids. */
export const dnsProviders = {
  cloudflare,
  desec,
  digitalocean,
  dnsimple,
  gandi,
  godaddy,
  hetzner,
  linode,
  namecheap,
  netlify,
  porkbun,
  route53,
  vercel,
  vultr,
}
export type DnsProviderId = keyof typeof dnsProviders

export type PublishProvider = DnsProviderDescription & { readonly id: DnsProviderId }

// Keys of what was written down above, and nothing else.
const ids = Object.keys(dnsProviders) as DnsProviderId[]

export const publishProviders: readonly PublishProvider[] = ids.map((id) => ({ id, ...dnsProviders[id] }))

export const publishProviderOf = (id: string): PublishProvider | undefined =>
  publishProviders.find((provider) => provider.id === id)
