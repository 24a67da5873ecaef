import type { Db } from '@stoa/kit/db/database.ts'
import type { Finding } from '@stoa/kit/health/health.ts'
import type { Tables } from '../../tables.ts'

const MAX_NAMED = 5

export type DomainFacts = { verified: number; broken: string[] }

/** Records that receivers judge mail by: MX, SPF, DKIM and DMARC of the domains that are in use. */
export const judgeDomains = ({ verified, broken }: DomainFacts): Finding => {
  if (broken.length > 0) {
    const rest = broken.length - MAX_NAMED
    return {
      status: 'warning',
      message: `Wrong DNS records: ${broken.slice(0, MAX_NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`,
      action: 'Open each domain, tab DNS records, and correct the records that are marked.',
      value: broken.length,
    }
  }
  const message = verified === 0 ? 'No verified domains yet.' : 'The DNS records of all verified domains are right.'
  return { status: 'ok', message, value: verified }
}

export const readDomainFacts = async (db: Db<Tables>): Promise<DomainFacts> => {
  const [row] = await db.query<DomainFacts>({
    text: `select count(*) as verified,
             coalesce(array_agg(d.name order by d.name)
               filter (where c.status in ('partially_failed', 'failed')), '{}') as broken
           from domain d join dns_check c on c.domain_id = d.id
           where d.verified_at is not null and d.deleted_at is null`,
  })
  if (!row) throw new Error('a count returned no row')
  return row
}
