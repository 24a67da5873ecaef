import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { Role } from '@stoa/mail-model/accounts.ts'
import type { Tables } from '../../../tables.ts'

export type BilledAccount = {
  id: string
  role: Role
  plan: string
  pastDueAt: Date | null
  referredBy: string | null
}

/** With the lock of `lockPlan`: nobody counts or adds something of the account while its plan changes. */
export const lockBilledAccount = async (tx: Tx<Tables>, accountId: string): Promise<BilledAccount | undefined> => {
  const [row] = await tx.query<BilledAccount>({
    name: 'lock-billed-account',
    text: `select id, role, plan, past_due_at as "pastDueAt", referred_by as "referredBy" from account
           where id = $1 and deleted_at is null for no key update`,
    values: [accountId],
  })
  return row
}

export const updatePastDue = async (tx: Tx<Tables>, accountId: string, pastDueAt: Date | null): Promise<void> => {
  await tx.updateTable('account').set({ past_due_at: pastDueAt }).where('id', '=', accountId).execute()
}

/** How long before its end the owner of a trial is notified. */
export const TRIAL_NOTICE_DAYS = 3

/** Accounts that have not paid, or whose trial is about to end, in the order of their ids. */
export const listClocks = async (
  db: Db<Tables>,
  { now, after, limit }: { now: Date; after: string | null; limit: number },
): Promise<string[]> => {
  const rows = await db.query<{ id: string }>({
    name: 'list-billing-clocks',
    text: `select id from (
             select id from account where past_due_at is not null and deleted_at is null
             union
             select account_id from subscription
             where ended_at is null and status = 'trialing' and not cancel_at_period_end
               and trial_end <= $1::timestamptz + make_interval(days => $4)
           ) running
           where $2::uuid is null or id > $2 order by id limit $3`,
    values: [now, after, limit, TRIAL_NOTICE_DAYS],
  })
  return rows.map(({ id }) => id)
}

/** Records steps as sent; gives those that were not sent before. */
export const recordSteps = async (
  tx: Tx<Tables>,
  { accountId, clockAt, steps, now }: { accountId: string; clockAt: Date; steps: readonly string[]; now: Date },
): Promise<string[]> => {
  const rows = await tx.query<{ step: string }>({
    name: 'take-dunning-steps',
    text: `insert into dunning_notice (account_id, clock_at, step, sent_at)
           select $1, $2, step, $4 from unnest($3::text[]) step
           on conflict do nothing returning step`,
    values: [accountId, clockAt, steps, now],
  })
  return rows.map(({ step }) => step)
}

export const hasSteps = async (db: Db<Tables>, accountId: string, clockAt: Date): Promise<boolean> =>
  (await db
    .selectFrom('dunning_notice')
    .select('step')
    .where('account_id', '=', accountId)
    .where('clock_at', '=', clockAt)
    .limit(1)
    .executeTakeFirst()) !== undefined
