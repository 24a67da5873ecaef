import type { DnsProviderId } from '@stoa/mail-model/dns-providers/index.ts'
import type { OpenZone } from '../adapter.ts'
import { cloudflare } from './cloudflare.ts'
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

/** A client for the API of each provider: one file each. */
export const openZoneAt = {
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
} satisfies Record<DnsProviderId, OpenZone>
