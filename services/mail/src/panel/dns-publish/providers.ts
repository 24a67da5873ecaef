import type { DnsAdapter } from './adapter.ts'
import { cloudflare } from './providers/cloudflare.ts'
import { desec } from './providers/desec.ts'
import { digitalocean } from './providers/digitalocean.ts'
import { dnsimple } from './providers/dnsimple.ts'
import { gandi } from './providers/gandi.ts'
import { godaddy } from './providers/godaddy.ts'
import { hetzner } from './providers/hetzner.ts'
import { linode } from './providers/linode.ts'
import { namecheap } from './providers/namecheap.ts'
import { netlify } from './providers/netlify.ts'
import { porkbun } from './providers/porkbun.ts'
import { route53 } from './providers/route53.ts'
import { vercel } from './providers/vercel.ts'
import { vultr } from './providers/vultr.ts'

/** The providers that records can be published through: one file each. */
export const ADAPTERS: readonly DnsAdapter[] = [
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
]

export const adapterOf = (id: string): DnsAdapter | undefined => ADAPTERS.find((adapter) => adapter.id === id)
