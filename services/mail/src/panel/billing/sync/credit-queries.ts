import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { Tables } from '../../../tables.ts'

/** Once for each account that was invited, to one that is still there. */
export const insertReferralCredit = async (
  tx: Tx<Tables>,
  credit: { referredId: string; accountId: string; amountCents: number; currency: string; now: Date },
): Promise<void> => {
  await tx.query({
    name: 'insert-referral-credit',
    text: `insert into referral_credit (referred_id, account_id, amount_cents, currency, created_at)
           select $1, id, $3, $4, $5 from account where id = $2 and deleted_at is null
           on conflict do nothing`,
    values: [credit.referredId, credit.accountId, credit.amountCents, credit.currency, credit.now],
  })
}

export type OpenCredit = { referredId: string; accountId: string; amountCents: number; currency: string }

/** Those that were earned and not given yet, in the order of their ids. */
export const listOpenCredits = (
  db: Db<Tables>,
  { after, limit }: { after: string | null; limit: number },
): Promise<OpenCredit[]> =>
  db
    .selectFrom('referral_credit')
    .select(['referred_id as referredId', 'account_id as accountId', 'amount_cents as amountCents', 'currency'])
    .where('credited_at', 'is', null)
    .$if(after !== null, (query) => query.where('referred_id', '>', after ?? ''))
    .orderBy('referred_id')
    .limit(limit)
    .execute()

export const settleCredit = async (
  tx: Tx<Tables>,
  { referredId, reference, now }: { referredId: string; reference: string; now: Date },
): Promise<void> => {
  await tx
    .updateTable('referral_credit')
    .set({ reference, credited_at: now })
    .where('referred_id', '=', referredId)
    .where('credited_at', 'is', null)
    .execute()
}

export type Payer = { id: string; email: string; name: string | null; reference: string | null }

/** An account with its customer at the provider, if it has one. */
export const findPayer = (db: Db<Tables>, accountId: string): Promise<Payer | undefined> =>
  db
    .selectFrom('account')
    .leftJoin('billing_customer', 'billing_customer.account_id', 'account.id')
    .select(['account.id', 'account.email', 'account.name', 'billing_customer.reference'])
    .where('account.id', '=', accountId)
    .where('account.deleted_at', 'is', null)
    .executeTakeFirst()
