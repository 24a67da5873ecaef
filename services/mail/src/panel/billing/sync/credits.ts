import { eachOnItsOwn, inPages } from '@stoa/kit/db/batches.ts'
import type { Tx } from '@stoa/kit/db/database.ts'
import { lockPlan } from '../../../hosting/plans/plans.ts'
import type { Tables } from '../../../tables.ts'
import { withoutSearch } from '../customers.ts'
import { insertCustomer } from '../payment-queries.ts'
import type { ProviderTransaction } from '../provider.ts'
import { findPayer, insertReferralCredit, listOpenCredits, type OpenCredit, settleCredit } from './credit-queries.ts'
import type { BilledAccount } from './entitlement.ts'
import { type PaidParts, requestSync, type SyncParts } from './sync.ts'

/** Whoever invited an account earns credit with the first charge that it paid. A refund later takes nothing back. */
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
  const customer = await customerFor(parts, accountId)
  if (customer === undefined) return
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

/** Whoever invites others need not have paid for anything. Undefined for one that was deleted. */
const customerFor = async (
  { database, payments, clock }: PaidParts,
  accountId: string,
): Promise<string | undefined> => {
  const payer = await findPayer(database.db, accountId)
  if (!payer || payer.reference !== null) return payer?.reference ?? undefined
  const { email, name } = payer
  const made =
    (await payments.findCustomer(accountId).catch(withoutSearch)) ??
    (await payments.createCustomer({ accountId, email, name, key: `customer-${accountId}` }))
  return database.tx(async (tx) => {
    await lockPlan(tx, accountId)
    return insertCustomer(tx, { account_id: accountId, reference: made, created_at: clock.now() })
  })
}
