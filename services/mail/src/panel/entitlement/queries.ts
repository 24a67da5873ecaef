import type { Db } from '@stoa/kit/db/database.ts'
import type { Tables } from '../../tables.ts'

export type Usage = {
  domains: number
  addresses: number
  storageBytes: number
  filters: number
  emailsToday: number
  emailsMonth: number
  apiKeys: number
  webhooks: number
  transfersActive: number
}

/** All that is counted of an account, in one statement. */
export const countUsage = async (db: Db<Tables>, accountId: string, day: string): Promise<Usage> => {
  const [row] = await db.query<Usage>({
    name: 'count-usage',
    text: `select
        (select count(*) from domain where account_id = $1::uuid and deleted_at is null) as domains,
        count(*) as addresses,
        coalesce(sum(mailbox.used_bytes), 0)::bigint as "storageBytes",
        (select count(*) from sieve_script left join address owner on owner.id = sieve_script.address_id
          where sieve_script.account_id = $1 and origin = 'panel' and owner.deleted_at is null) as filters,
        (select coalesce(sum(recipients), 0)::bigint from sending_day
          where account_id = $1 and day = $2) as "emailsToday",
        (select coalesce(sum(recipients), 0)::bigint from sending_day
          where account_id = $1 and day >= date_trunc('month', $2::date) and day <= $2) as "emailsMonth",
        (select count(*) from api_key left join domain on domain.id = api_key.domain_id
          where api_key.account_id = $1 and domain.deleted_at is null) as "apiKeys",
        (select count(*) from webhook_endpoint where owner = $1::text) as webhooks,
        (select count(*) from transfer join address target on target.id = transfer.address_id
          where transfer.account_id = $1 and status in ('queued', 'running')
            and target.deleted_at is null) as "transfersActive"
      from address join mailbox on mailbox.address_id = address.id
      where address.account_id = $1 and address.deleted_at is null`,
    values: [accountId, day],
  })
  if (!row) throw new Error('a count returned no row')
  return row
}
