import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { Tables } from '../../tables.ts'
import type { PlanHolder } from './plan-limits.ts'

export type AccountPlan = PlanHolder & { suspendedAt: Date | null; pastDueAt: Date | null }

const PLAN_COLUMNS = `plan, limits, suspended_at as "suspendedAt", past_due_at as "pastDueAt"`

/**
 * Lets one transaction at a time count and add something of this account. Its sessions and its mail are not held up.
 * Nothing is added to one that was deleted meanwhile.
 */
export const lockAccountPlan = async (tx: Tx<Tables>, accountId: string): Promise<AccountPlan | undefined> => {
  const [row] = await tx.query<AccountPlan>({
    name: 'lock-account-plan',
    text: `select ${PLAN_COLUMNS} from account where id = $1 and deleted_at is null for no key update`,
    values: [accountId],
  })
  return row
}

export const findAccountPlan = async (db: Db<Tables>, accountId: string): Promise<AccountPlan | undefined> => {
  const [row] = await db.query<AccountPlan>({
    name: 'find-account-plan',
    text: `select ${PLAN_COLUMNS} from account where id = $1 and deleted_at is null`,
    values: [accountId],
  })
  return row
}

export type SentRecipients = { today: number; month: number }

export const sumRecipients = async (db: Db<Tables>, accountId: string, day: string): Promise<SentRecipients> => {
  const [row] = await db.query<SentRecipients>({
    name: 'sum-sent-recipients',
    text: `select coalesce(sum(recipients) filter (where day = $2), 0)::bigint as today,
                  coalesce(sum(recipients), 0)::bigint as month
           from sending_day
           where account_id = $1 and day >= date_trunc('month', $2::date) and day <= $2`,
    values: [accountId, day],
  })
  return row ?? { today: 0, month: 0 }
}

export const addRecipients = async (
  tx: Tx<Tables>,
  sent: { accountId: string; day: string; recipients: number },
): Promise<void> => {
  await tx.query({
    name: 'add-sent-recipients',
    text: `insert into sending_day as old (account_id, day, recipients) values ($1, $2, $3)
           on conflict (account_id, day) do update set recipients = old.recipients + excluded.recipients`,
    values: [sent.accountId, sent.day, sent.recipients],
  })
}

/** Never less than none: the day may have been counted anew. */
export const subtractRecipients = async (
  tx: Tx<Tables>,
  sent: { accountId: string; day: string; recipients: number },
): Promise<void> => {
  await tx.query({
    name: 'subtract-sent-recipients',
    text: 'update sending_day set recipients = greatest(recipients - $3, 0) where account_id = $1 and day = $2',
    values: [sent.accountId, sent.day, sent.recipients],
  })
}

/** Adds recipients for an account on one of these plans that has no own limits and is not suspended; gives its plan. */
export const addUnlimitedRecipients = async (
  tx: Tx<Tables>,
  sent: { accountId: string; day: string; recipients: number; plans: readonly string[] },
): Promise<AccountPlan | undefined> => {
  const [row] = await tx.query<AccountPlan>({
    name: 'add-unlimited-recipients',
    text: `with known as (select ${PLAN_COLUMNS} from account where id = $1 and deleted_at is null),
           added as (
             insert into sending_day as old (account_id, day, recipients)
             select $1, $2, $3 from known where "suspendedAt" is null and plan = any($4)
               and not limits ?| array['emails_per_day', 'emails_per_month']
             on conflict (account_id, day) do update set recipients = old.recipients + excluded.recipients)
           select * from known`,
    values: [sent.accountId, sent.day, sent.recipients, sent.plans],
  })
  return row
}

/** A moment that is set already stays. */
export const updateSuspension = async (
  tx: Tx<Tables>,
  accountId: string,
  suspension: { at: Date; reason: string | null } | null,
): Promise<void> => {
  await tx
    .updateTable('account')
    .set(({ fn, val }) => ({
      suspended_at: suspension && fn.coalesce('suspended_at', val(suspension.at)),
      suspended_reason: suspension?.reason ?? null,
    }))
    .where('id', '=', accountId)
    .execute()
}

export type AccountState = { email: string; role: string; plan: string; suspended_at: Date | null }

export const listAccountStates = (db: Db<Tables>): Promise<AccountState[]> =>
  db
    .selectFrom('account')
    .select(['email', 'role', 'plan', 'suspended_at'])
    .where('deleted_at', 'is', null)
    .orderBy('email')
    .execute()

export type StorageUse = PlanHolder & { quotaBytes: number | null; othersBytes: number }

/** The quota of a mailbox, and what the others of its account use; those of unlimited plans are not summed up. */
export const findStorageUse = async (
  db: Db<Tables>,
  addressId: string,
  unlimited: string,
): Promise<StorageUse | undefined> => {
  const [row] = await db.query<StorageUse>({
    name: 'find-storage-use',
    text: `select account.plan, account.limits, address.quota_bytes as "quotaBytes",
                  case when account.plan = $2 and not account.limits ? 'storage_bytes' then 0 else (
                    select coalesce(sum(mailbox.used_bytes), 0)::bigint
                    from address other join mailbox on mailbox.address_id = other.id
                    where other.account_id = account.id and other.id <> address.id and other.deleted_at is null
                  ) end as "othersBytes"
           from address join account on account.id = address.account_id
           where address.id = $1 and address.deleted_at is null`,
    values: [addressId, unlimited],
  })
  return row
}
