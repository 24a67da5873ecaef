import { url } from '@stoa/kit/config/kinds.ts'
import type { ConfigOf } from '@stoa/kit/config.ts'

const base = (provider: string, address: string) =>
  url(
    'https',
    'http',
  )({ defaultText: address, doc: `Address of the DNS API of ${provider}, where a proxy stands before it.` })

/** The APIs that DNS records are published through. */
export const dnsVariables = {
  DNS_API_BASE_CLOUDFLARE: base('Cloudflare', 'https://api.cloudflare.com/client/v4'),
  DNS_API_BASE_DIGITALOCEAN: base('DigitalOcean', 'https://api.digitalocean.com/v2'),
  DNS_API_BASE_HETZNER: base('Hetzner', 'https://api.hetzner.cloud/v1'),
  DNS_API_BASE_GANDI: base('Gandi', 'https://api.gandi.net/v5/livedns'),
  DNS_API_BASE_VULTR: base('Vultr', 'https://api.vultr.com/v2'),
  DNS_API_BASE_LINODE: base('Linode', 'https://api.linode.com/v4'),
  DNS_API_BASE_DNSIMPLE: base('DNSimple', 'https://api.dnsimple.com/v2'),
  DNS_API_BASE_PORKBUN: base('Porkbun', 'https://api.porkbun.com/api/json/v3'),
  DNS_API_BASE_GODADDY: base('GoDaddy', 'https://api.godaddy.com/v1'),
  DNS_API_BASE_ROUTE53: base('Amazon Route 53', 'https://route53.amazonaws.com/2013-04-01'),
  DNS_API_BASE_VERCEL: base('Vercel', 'https://api.vercel.com'),
  DNS_API_BASE_NETLIFY: base('Netlify', 'https://api.netlify.com/api/v1'),
  DNS_API_BASE_DESEC: base('deSEC', 'https://desec.io/api/v1'),
  DNS_API_BASE_NAMECHEAP: base('Namecheap', 'https://api.namecheap.com/xml.response'),
}

/** By the provider's id; those that were not set have their own address. */
export type DnsApiBases = ReadonlyMap<string, string>

export const readDnsApiBases = (values: ConfigOf<typeof dnsVariables>): DnsApiBases =>
  new Map(
    Object.entries(values).flatMap(([name, address]) => {
      const [, provider] = /^DNS_API_BASE_(\w+)$/.exec(name) ?? []
      return provider === undefined || typeof address !== 'string' ? [] : [[provider.toLowerCase(), address] as const]
    }),
  )
