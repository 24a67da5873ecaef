import type { Address } from '@stoa/mail-model/addresses.ts'
import type { Domain } from '@stoa/mail-model/domains.ts'

type RoutedDomain = Pick<Domain, 'id' | 'name' | 'verified_at' | 'catch_all_address_id' | 'fallback_domain_id'>
type RoutedAddress = Pick<Address, 'id' | 'email' | 'aliases' | 'enabled' | 'forward_to' | 'keep_copy'>

export type Hosted = { domains: readonly RoutedDomain[]; addresses: readonly RoutedAddress[] }

export type Way = 'address' | 'detail' | 'alias' | 'pattern' | 'catch_all'

export type Answer =
  | { kind: 'malformed' }
  | { kind: 'foreign'; domain: string }
  | { kind: 'unverified'; domain: string }
  | { kind: 'mailbox'; address: RoutedAddress; way: Way; name: string; fallback: string | null }
  | { kind: 'off'; address: RoutedAddress }
  /** `postmaster` and `abuse` of a domain without such a mailbox. */
  | { kind: 'owner' }
  | { kind: 'unknown'; name: string }

/** Where mail to a name goes, by the order the service follows: address, alias, pattern, catch-all, fallback domain. */
export const traceName = (given: string, hosted: Hosted): Answer => {
  const text = given.trim().replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(at, 0))
  const domainName = text.slice(at + 1)
  if (at < 1 || domainName === '' || /[\s"(),:;<>@[\\\]]/.test(local)) return { kind: 'malformed' }
  const domain = hosted.domains.find(({ name }) => name === domainName)
  if (!domain) return { kind: 'foreign', domain: domainName }
  if (domain.verified_at === null) return { kind: 'unverified', domain: domain.name }
  const fallback = hosted.domains.find(({ id, verified_at: at }) => id === domain.fallback_domain_id && at !== null)
  const base = local.replace(/(.)\+.*$/, '$1')
  const here = leadsAt(hosted, domain, { local, base })
  if (base === 'postmaster' || base === 'abuse') return roleAnswer(here)
  const [best] = [...here, ...(fallback ? leadsAt(hosted, fallback, { local, base }) : [])]
  if (!best) return { kind: 'unknown', name: text }
  if (!best.address.enabled) return { kind: 'off', address: best.address }
  return { kind: 'mailbox', ...best, fallback: here.includes(best) ? null : (fallback?.name ?? null) }
}

type Lead = { address: RoutedAddress; way: Way; name: string }

/** Somebody reads these at every domain. */
const roleAnswer = (here: readonly Lead[]): Answer => {
  const reader = here.find(({ address }) => address.enabled)
  return reader ? { kind: 'mailbox', ...reader, fallback: null } : { kind: 'owner' }
}

const leadsAt = (
  { addresses }: Hosted,
  domain: RoutedDomain,
  { local, base }: { local: string; base: string },
): readonly Lead[] => {
  const named = (name: string): Lead[] =>
    addresses.flatMap((address): Lead[] => {
      if (address.email === name) return [{ address, way: local === base ? 'address' : 'detail', name }]
      return address.aliases.includes(name) ? [{ address, way: 'alias', name }] : []
    })
  const whole = named(`${local}@${domain.name}`).map((lead) =>
    lead.way === 'detail' ? { ...lead, way: 'address' as const } : lead,
  )
  const withoutDetail = local === base ? [] : named(`${base}@${domain.name}`)
  const catchAll = addresses.find(({ id }) => id === domain.catch_all_address_id)
  return [
    ...whole,
    ...withoutDetail,
    ...patternsFor(addresses, domain.name, base),
    ...(catchAll ? [{ address: catchAll, way: 'catch_all' as const, name: domain.name }] : []),
  ]
}

/** The most literal text wins; of equals the first by name. */
const patternsFor = (addresses: readonly RoutedAddress[], domain: string, base: string): readonly Lead[] =>
  addresses
    .flatMap((address) => address.aliases.map((name): Lead => ({ address, way: 'pattern', name })))
    .filter(({ name }) => name.endsWith(`@${domain}`) && matchesPattern(name.slice(0, -domain.length - 1), base))
    .sort((a, b) => b.name.length - a.name.length || (a.name < b.name ? -1 : 1))

/** Whether a local part fits a name with one `*`, which stands for any text, also for none. */
export const matchesPattern = (pattern: string, local: string): boolean => {
  const star = pattern.indexOf('*')
  if (star === -1) return false
  const before = pattern.slice(0, star)
  const behind = pattern.slice(star + 1)
  return local.length >= pattern.length - 1 && local.startsWith(before) && local.endsWith(behind)
}
