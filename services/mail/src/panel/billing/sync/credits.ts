import { eachOnItsOwn, inPages } from '@stoa/kit/db/batches.ts'
import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { Tables } from '../../../tables.ts'
import { customerFor } from '../customers.ts'
import { inTurnOf } from '../lock.ts'
import type { ProviderTransaction } from '../provider.ts'
import type { BilledAccount } from './entitlement.ts'
import { type PaidParts, requestSync, type SyncParts } from './sync.ts'

/** The referrer of an account earns credit with the first charge that it paid. A refund later takes nothing back. */
export const recordReferral = async (
  { config, clock }: PaidParts,
  tx: Tx<Tables>,
  { account, transactions }: { account: BilledAccount; transactions: readonly ProviderTransaction[] },
): Promise<void> => {
  const amountCents = config.payment.referralCreditCents
  if (amountCents === 0 || account.referredBy === null) return
  const paid = transactions.find(
    ({ type, status, amount_cents }) => type === 'charge' && status === 'paid' && amount_cents > 0,
  )
  if (!paid) return
  await insertReferralCredit(tx, {
    referredId: account.id,
    accountId: account.referredBy,
    amountCents,
    currency: paid.currency,
    now: clock.now(),
  })
}

const BATCH = 100

/** Gives the credit that was earned. The provider knows the key, so that one which is killed in between gives it once. */
export const creditReferrals = async (parts: SyncParts): Promise<void> => {
  const { database, log, payments } = parts
  if (!payments) return
  await eachOnItsOwn(
    inPages<OpenCredit>(BATCH, (after, limit) =>
      listOpenCredits(database.db, { after: after?.referredId ?? null, limit }),
    ),
    (open) => give({ ...parts, payments }, open),
    (err, { referredId }) =>
      log.warn({ err, referredId }, 'the credit for a referral could not be given; trying again'),
  )
}

const give = async (parts: PaidParts, { referredId, accountId, amountCents, currency }: OpenCredit): Promise<void> => {
  const { database, payments, clock } = parts
  const payer = await findPayer(database.db, accountId)
  // The account was deleted.
  if (!payer) return
  // A referrer need not have paid for anything.
  const customer = payer.reference ?? (await inTurnOf(parts, accountId, (turn) => customerFor(parts, payer, turn)))
  const reference = await payments.credit({
    customer,
    amountCents,
    currency,
    description: 'Credit for a referral',
    key: `referral-${referredId}`,
  })
  await database.tx(async (tx) => {
    await settleCredit(tx, { referredId, reference, now: clock.now() })
    await requestSync(tx, { accountId }, clock.now())
  })
}

/** Once for each account that was invited, to one that is still there. */
const insertReferralCredit = async (
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

type OpenCredit = { referredId: string; accountId: string; amountCents: number; currency: string }

/** Credits that were earned but not given yet, ordered by id. */
const listOpenCredits = (
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

const settleCredit = async (
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

type Payer = { id: string; email: string; name: string | null; reference: string | null }

/** An account with its customer at the provider, if it has one. */
const findPayer = (db: Db<Tables>, accountId: string): Promise<Payer | undefined> =>
  db
    .selectFrom('account')
    .leftJoin('billing_customer', 'billing_customer.account_id', 'account.id')
    .select(['account.id', 'account.email', 'account.name', 'billing_customer.reference'])
    .where('account.id', '=', accountId)
    .where('account.deleted_at', 'is', null)
    .executeTakeFirst()
