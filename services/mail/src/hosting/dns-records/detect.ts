import { publishProviders } from '@stoa/mail-model/dns-providers/index.ts'
import { canonicalName } from '../../wire/dns/dns.ts'

/** Who runs name servers. */
export type KnownProvider = { readonly id: string; readonly name: string; readonly nameservers: RegExp }

/** The first that matches most of a domain's name servers; those that can be published to come first. */
const KNOWN_PROVIDERS: readonly KnownProvider[] = [
  ...publishProviders,
  { id: 'ns1', name: 'NS1', nameservers: /\.nsone\.net$/ },
  { id: 'ovh', name: 'OVHcloud', nameservers: /\.(ovh\.net|anycast\.me)$/ },
  { id: 'ionos', name: 'IONOS', nameservers: /\.ui-dns\.(com|org|de|biz)$/ },
  { id: 'azure', name: 'Azure DNS', nameservers: /^ns\d-\d+\.azure-dns\.(com|net|org|info)$/ },
  { id: 'google_cloud_dns', name: 'Google Cloud DNS', nameservers: /^ns-cloud-.+\.googledomains\.com$/ },
  { id: 'squarespace', name: 'Squarespace', nameservers: /\.(squarespacedns|googledomains)\.com$/ },
  { id: 'namecom', name: 'Name.com', nameservers: /\.name\.com$/ },
  { id: 'namesilo', name: 'NameSilo', nameservers: /\.(namesilo|dnsowl)\.com$/ },
  { id: 'hover', name: 'Hover', nameservers: /^ns[12]\.hover\.com$/ },
  { id: 'dreamhost', name: 'DreamHost', nameservers: /^ns[1-3]\.dreamhost\.com$/ },
  { id: 'inwx', name: 'INWX', nameservers: /\.inwx\.(de|com|eu)$/ },
  { id: 'infomaniak', name: 'Infomaniak', nameservers: /\.infomaniak\.com$/ },
  { id: 'bunny', name: 'bunny.net', nameservers: /^(kiki|coco)\.bunny\.net$/ },
  { id: 'wix', name: 'Wix', nameservers: /\.wixdns\.net$/ },
  { id: 'wordpress', name: 'WordPress.com', nameservers: /^ns[1-3]\.wordpress\.com$/ },
  { id: 'hostinger', name: 'Hostinger', nameservers: /\.dns-parking\.com$/ },
  { id: 'alibaba', name: 'Alibaba Cloud', nameservers: /\.(hichina|alidns)\.com$/ },
  { id: 'dnspod', name: 'DNSPod', nameservers: /\.(dnspod\.net|dnsv[2-5]\.com)$/ },
  { id: 'strato', name: 'Strato', nameservers: /\.rzone\.de$/ },
  { id: 'one', name: 'one.com', nameservers: /\.one\.com$/ },
  { id: 'loopia', name: 'Loopia', nameservers: /\.loopia\.se$/ },
  { id: 'transip', name: 'TransIP', nameservers: /\.transip\.(net|nl|eu)$/ },
]

/** Who runs most of these name servers; null when it is nobody we know. */
export const providerOf = (nameservers: readonly string[]): KnownProvider | null => {
  const names = nameservers.map(canonicalName)
  const isMost = ({ nameservers: pattern }: KnownProvider): boolean =>
    names.filter((name) => pattern.test(name)).length * 2 > names.length
  return KNOWN_PROVIDERS.find(isMost) ?? null
}
