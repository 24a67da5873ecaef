import { eachOnItsOwn, inPages } from '@stoa/kit/db/batches.ts'
import type { Tx } from '@stoa/kit/db/database.ts'
import type { Tables } from '../../../tables.ts'
import { customerFor } from '../customers.ts'
import { inTurnOf } from '../lock.ts'
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
  const payer = await findPayer(database.db, accountId)
  // It was deleted.
  if (!payer) return
  // Whoever invites others need not have paid for anything.
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
