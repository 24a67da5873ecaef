import type { Db } from '@stoa/kit/db/database.ts'
import type { Tables } from '../../tables.ts'
import type { Hosting } from '../domains/domains.ts'
import { parseRecipient, type Recipient } from './names.ts'
import { type DomainLeads, findContact, findFirstAddress, findLeads, type Lead } from './routing-queries.ts'

export type Route =
  | {
      kind: 'mailbox'
      addressId: string
      accountId: string
      domainId: string
      /** The mailbox's own address, however it was reached. */
      email: string
      detail: string | null
      via: 'address' | 'alias' | 'pattern' | 'catch_all' | 'fallback' | 'role'
    }
  /** `postmaster` and `abuse` of a domain without such an address: the account's own e-mail. */
  | { kind: 'outside'; to: string; accountId: string }
  /** `b.<token>` at our own name: a report about mail that the service sent. */
  | { kind: 'bounce'; token: string }
  /** `srs0=…` and `srs1=…` at our own name: a report about mail that was forwarded. */
  | { kind: 'srs'; localPart: string }
  | { kind: 'reports'; type: 'dmarc' | 'tls' }
  /** `domain` is ours, and nobody has that name there; null for names of the service itself. */
  | { kind: 'unknown'; domain: { id: string; accountId: string } | null }
  | { kind: 'foreign' }
  | { kind: 'malformed' }

/** Where mail for a recipient goes. One statement; a few more for `postmaster` and `abuse` that are nobody's address. */
export const resolveRecipient = async (
  db: Db<Tables>,
  hosting: Pick<Hosting, 'hostname'>,
  recipient: string,
): Promise<Route> => {
  const parsed = parseRecipient(recipient)
  if (parsed === null) return { kind: 'malformed' }
  const domain = parsed.domain ?? hosting.hostname
  const isOwn = domain === hosting.hostname
  const service = isOwn ? serviceRoute(parsed) : null
  if (service) return service
  const found = await findLeads(db, { ...parsed, domain })
  if (!found && !isOwn) return { kind: 'foreign' }
  if (isRole(parsed.base)) return roleRoute(db, hosting, { found, parsed })
  const best = found?.leads[0]
  return best?.enabled ? toMailbox(best, parsed) : unknownAt(found)
}

/**
 * Whether a mailbox may write under this address: its own, its aliases and patterns, each with any detail. A name that
 * a pattern of it covers but that is another mailbox's own is not among them.
 */
export const mayWriteAs = async (db: Db<Tables>, addressId: string, email: string): Promise<boolean> => {
  const parsed = parseRecipient(email)
  if (!parsed || parsed.domain === null) return false
  const found = await findLeads(db, { ...parsed, domain: parsed.domain })
  const best = found?.leads[0]
  return best?.hop === 0 && best.kind !== 'catch_all' && best.enabled && best.addressId === addressId
}

const REPORTS: ReadonlyMap<string, 'dmarc' | 'tls'> = new Map([
  ['dmarc-reports', 'dmarc'],
  ['tls-reports', 'tls'],
])

const serviceRoute = ({ localPart, spelled, base }: Recipient): Route | null => {
  if (/^b\../.test(localPart)) return { kind: 'bounce', token: localPart.slice(2) }
  if (/^srs[01][-+=]/.test(localPart)) return { kind: 'srs', localPart: spelled }
  const type = REPORTS.get(base)
  return type ? { kind: 'reports', type } : null
}

const isRole = (localPart: string): boolean => localPart === 'postmaster' || localPart === 'abuse'

/** RFC 5321 §4.5.1 and RFC 2142: somebody reads these at every domain. */
const roleRoute = async (
  db: Db<Tables>,
  { hostname }: Pick<Hosting, 'hostname'>,
  { found, parsed }: { found: DomainLeads | undefined; parsed: Recipient },
): Promise<Route> => {
  const own = found?.leads.find(({ hop, enabled }) => hop === 0 && enabled)
  if (own) return toMailbox(own, parsed)
  const contact = await findContact(db, found?.accountId ?? null)
  if (!contact) return unknownAt(found)
  const inside = await findInside(db, hostname, contact.email)
  if (inside === 'elsewhere') return { kind: 'outside', to: contact.email, accountId: contact.accountId }
  // The account's own e-mail is hosted here and leads nowhere: sending to it would come back to this question.
  const reader = inside ?? (await findFirstAddress(db, contact.accountId))
  return reader ? { ...toMailbox(reader, parsed), via: 'role' } : unknownAt(found)
}

const findInside = async (db: Db<Tables>, hostname: string, email: string): Promise<Lead | undefined | 'elsewhere'> => {
  const parsed = parseRecipient(email)
  const found = parsed?.domain ? await findLeads(db, { ...parsed, domain: parsed.domain }) : undefined
  if (!found && parsed?.domain !== hostname) return 'elsewhere'
  return found?.leads.find(({ enabled }) => enabled)
}

const unknownAt = (found: DomainLeads | undefined): Extract<Route, { kind: 'unknown' }> => ({
  kind: 'unknown',
  domain: found ? { id: found.domainId, accountId: found.accountId } : null,
})

const toMailbox = (lead: Lead, { detail }: Recipient): Extract<Route, { kind: 'mailbox' }> => ({
  kind: 'mailbox',
  addressId: lead.addressId,
  accountId: lead.accountId,
  domainId: lead.domainId,
  email: lead.email,
  detail: lead.exact ? null : detail,
  via: lead.hop === 1 ? 'fallback' : lead.kind,
})
