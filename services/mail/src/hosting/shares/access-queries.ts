import type { Db } from '@stoa/kit/db/database.ts'
import type { ShareTable } from '../../tables/shares.ts'
import type { Tables } from '../../tables.ts'

export type SharedMailbox = { addressId: string; email: string; name: string | null; access: ShareTable['access'] }

/** Mailboxes that an address may use besides its own, or one of them: only of addresses that may be used themselves. */
export const findSharedWith = (
  db: Db<Tables>,
  { id, accountId }: { id: string; accountId: string },
  addressId: string | null,
): Promise<SharedMailbox[]> =>
  db.query<SharedMailbox>({
    name: 'find-shared-with',
    text: `select a.id as "addressId", a.email, a.name, s.access
      from share s join address a on a.id = s.address_id
      where s.with_address_id = $1 and a.account_id = $2 and a.deleted_at is null and a.enabled
        and ($3::uuid is null or s.address_id = $3)
      order by a.email`,
    values: [id, accountId, addressId],
  })
