import type { Db } from '@stoa/kit/db/database.ts'
import type { RecordState } from '../../tables/dns.ts'
import type { Tables } from '../../tables.ts'

export type AuthorDomain = {
  records: Record<string, RecordState> | null
  /** Of the key that signs. */
  selector: string | null
  /** Who may send in its name: addresses, and domains as `@example.com`. */
  allowed: string[]
}

/** A hosted domain as far as it decides whether mail in its name is its own. */
export const findAuthorDomain = async (db: Db<Tables>, name: string): Promise<AuthorDomain | undefined> => {
  const [row] = await db.query<AuthorDomain>({
    name: 'find-author-domain',
    text: `select dns_check.records, dkim_key.selector,
                  array(select pattern from domain_sender
                        where domain_sender.domain_id = domain.id and action = 'allow') as allowed
           from domain left join dns_check on dns_check.domain_id = domain.id
           left join dkim_key on dkim_key.domain_id = domain.id and dkim_key.active
           where domain.name = $1 and domain.deleted_at is null and domain.verified_at is not null`,
    values: [name],
  })
  return row
}
