import type { Db } from '@stoa/kit/db/database.ts'
import type { Config } from '../../config.ts'
import type { Authenticity } from '../../formats/authenticity/authenticity.ts'
import { isTrusted, isWorking } from '../../hosting/dns-records/dns-records.ts'
import type { RecordState } from '../../tables/dns.ts'
import type { Tables } from '../../tables.ts'

type SpoofConfig = Pick<Config, 'environment' | 'arcTrustedSealers'>

/**
 * The hosted domain that a sender from outside pretends to be, or null. We sign all of its mail, so that unsigned mail is
 * forged unless somebody trusted says otherwise. Null while its DNS records are missing: nothing can be proved.
 */
export const findSpoofedDomain = async (
  db: Db<Tables>,
  config: SpoofConfig,
  { authenticity, returnPath }: { authenticity: Authenticity; returnPath: string },
): Promise<string | null> => {
  const { domain: author, isAuthentic } = authenticity.author
  if (author === null || isAuthentic !== false) return null
  const hosted = await findAuthorDomain(db, author)
  if (!hosted) return null
  const { records, selector, allowed } = hosted
  const isSeen = (key: string): boolean => isWorking(records?.[key]?.status ?? 'not_started')
  const canProve = isTrusted(config, author) || (isSeen('SPF TXT @') && isSeen(`DKIM TXT ${selector}._domainkey`))
  if (!canProve) return null
  if (isVouchedFor(config, authenticity, author)) return null
  return isAllowed(allowed, authenticity, returnPath) ? null : author
}

/** RFC 8617 §7.2: a chain says something when all who sealed it are trusted; the first of them saw how it was sent. */
const isVouchedFor = ({ arcTrustedSealers }: SpoofConfig, { arc }: Authenticity, author: string): boolean =>
  arc.result === 'pass' &&
  arc.sealers.length > 0 &&
  arc.sealers.every((sealer) => arcTrustedSealers.includes(sealer)) &&
  arc.authenticated.includes(author)

/** Patterns are compared with names that somebody proved: whose SPF passed for the sender, or whose DKIM key signed. */
const isAllowed = (allowed: readonly string[], { spf, dkim }: Authenticity, returnPath: string): boolean => {
  const signers = dkim.flatMap(({ result, domain }) =>
    result === 'pass' && domain ? [`@${domain.toLowerCase()}`] : [],
  )
  const sender = returnPath.toLowerCase()
  const senders = spf.result === 'pass' && sender !== '' ? [sender, sender.slice(sender.lastIndexOf('@'))] : []
  return [...signers, ...senders].some((proved) => allowed.includes(proved))
}

type AuthorDomain = {
  records: Record<string, RecordState> | null
  /** The selector of the DKIM key that signs. */
  selector: string | null
  /** Senders who may use its name: addresses, and domains as `@example.com`. */
  allowed: string[]
}

/** A hosted domain as far as it decides whether mail in its name is its own. */
const findAuthorDomain = async (db: Db<Tables>, name: string): Promise<AuthorDomain | undefined> => {
  const [row] = await db.query<AuthorDomain>({
    name: 'find-author-domain',
    text: `select dns_check.records, dkim_key.selector,
                  array(select pattern from listed_sender
                        where listed_sender.list_id = domain.id and action = 'allow') as allowed
           from domain left join dns_check on dns_check.domain_id = domain.id
           left join dkim_key on dkim_key.domain_id = domain.id and dkim_key.active
           where domain.name = $1 and domain.deleted_at is null and domain.verified_at is not null`,
    values: [name],
  })
  return row
}
