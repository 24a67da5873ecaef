import type { Db } from '@stoa/kit/db/database.ts'
import type { Tables } from '../../tables.ts'
import type { TrackedEmail } from '../tracking/tracking.ts'

/** What the domain of a mail wants to know at the moment; undefined when the mail or the domain is gone. */
export const findWishes = async (
  db: Db<Tables>,
  { accountId, emailId }: TrackedEmail,
): Promise<{ opens: boolean; clicks: boolean } | undefined> => {
  const [row] = await db.query<{ opens: boolean; clicks: boolean }>({
    name: 'find-tracking-wishes',
    text: `select d.open_tracking as opens, d.click_tracking as clicks
           from email e join domain d on d.id = e.domain_id
           where e.account_id = $1 and e.id = $2 and d.deleted_at is null`,
    values: [accountId, emailId],
  })
  return row
}
