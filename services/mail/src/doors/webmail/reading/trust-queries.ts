import type { Db } from '@stoa/kit/db/database.ts'
import type { Circle, Person } from '../../../formats/trust/trust.ts'
import type { Tables } from '../../../tables.ts'

/** Only the thousand people written to most recently count as known. */
const MAX_CONTACTS = 1_000
const MAX_OWN = 500

type KnownRow = { kind: 'contact' | 'own' | 'domain'; name: string | null; email: string }

/** Whom the owner of a mailbox knows: those they wrote to lately, and the people and domains of their account. */
export const findCircle = async (
  db: Db<Tables>,
  { addressId, accountId }: { addressId: string; accountId: string },
): Promise<Circle> => {
  const rows = await db.query<KnownRow>({
    name: 'webmail-circle',
    text: `(select 'contact' as kind, name, email from contact where address_id = $1
        order by last_used_at desc limit ${MAX_CONTACTS})
      union all (select 'own', name, email from address where account_id = $2 and deleted_at is null limit ${MAX_OWN})
      union all (select 'domain', null, name from domain where account_id = $2 and deleted_at is null limit ${MAX_OWN})`,
    values: [addressId, accountId],
  })
  const having = (kind: KnownRow['kind']): Person[] => rows.filter((row) => row.kind === kind)
  return { own: having('own'), ownDomains: having('domain').map(({ email }) => email), contacts: having('contact') }
}
