import type { Tx } from '@stoa/kit/db/database.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { Insertable } from 'kysely'
import type { SubscriptionTable } from '../../../tables/billing.ts'
import type { Tables } from '../../../tables.ts'
import type { ProviderCustomer, ProviderMethod, ProviderSubscription, ProviderTransaction } from '../provider.ts'
import { findSubscription, type SubscriptionRow, updateSubscription } from '../queries.ts'
import { recordReferral } from './credits.ts'
import { applyEntitlement, type BilledAccount, lockBilledAccount } from './entitlement.ts'
import { deleteCustomer, type Reading, takeReading } from './queries.ts'
import type { PaidParts } from './sync.ts'

/** Stands for a customer that the provider no longer knows. Past payments are kept. */
const NOTHING: ProviderCustomer = {
  balanceCents: 0,
  subscription: null,
  otherSubscriptions: [],
  methods: [],
  transactions: [],
  taxId: null,
}

/**
 * Writes what was read of a customer, and all that follows from it, unless a later reading is written already or the
 * account was deleted meanwhile.
 */
export const writeReading = async (
  parts: PaidParts,
  tx: Tx<Tables>,
  { reading, customer }: { reading: Reading; customer: ProviderCustomer | undefined },
): Promise<void> => {
  const account = await lockBilledAccount(tx, reading.accountId)
  if (!account) return
  const { balanceCents, subscription, methods, transactions, taxId } = customer ?? NOTHING
  if (!(await takeReading(tx, reading, balanceCents))) return
  const now = parts.clock.now()
  const pastDueAt = await mirrorSubscription(parts, tx, { account, subscription, now })
  await mirrorMethods(tx, account.id, methods)
  await mirrorTransactions(tx, account.id, transactions)
  await mirrorTaxId(tx, account.id, taxId, now)
  await applyEntitlement(parts, tx, { account, pastDueAt })
  await recordReferral(parts, tx, { account, transactions })
  if (!customer) await deleteCustomer(tx, reading)
  tx.changes.push({ topic: 'account', event: 'updated', data: { accountId: account.id } })
}

type Mirrored = { account: BilledAccount; subscription: ProviderSubscription | null; now: Date }

/** Gives since when the account has not paid. */
const mirrorSubscription = async (
  parts: PaidParts,
  tx: Tx<Tables>,
  { account, subscription, now }: Mirrored,
): Promise<Date | null> => {
  const open = await findSubscription(tx, account.id)
  if (!subscription) {
    if (open?.reference) await endSubscription(tx, open, now)
    return null
  }
  const isOther = open !== undefined && open.reference !== subscription.reference
  if (isOther && (open.reference !== null || !subscription.endedAt)) await endSubscription(tx, open, now)
  const { plan, price, reference, pastDueAt } = subscription
  // A subscription without a known plan buys nothing, and the operator must learn of it.
  if (plan === null) parts.log.error({ accountId: account.id, reference, price }, 'a subscription is to no known plan')
  await upsertSubscription(tx, {
    ...mirrorOf(subscription),
    id: newId(),
    account_id: account.id,
    past_due_at: pastDueAt,
  })
  return pastDueAt
}

const endSubscription = (tx: Tx<Tables>, row: SubscriptionRow, now: Date): Promise<SubscriptionRow> =>
  updateSubscription(tx, row, {
    status: 'cancelled',
    cancelled_at: row.cancelled_at ?? now,
    ended_at: now,
    pending_plan: null,
  })

const mirrorOf = (subscription: ProviderSubscription): Omit<SubscriptionMirror, Written> => ({
  reference: subscription.reference,
  plan: subscription.plan ?? 'free',
  pending_plan: subscription.pendingPlan,
  status: subscription.status,
  cancel_at_period_end: subscription.cancelAtPeriodEnd,
  current_period_start: subscription.periodStart,
  current_period_end: subscription.periodEnd,
  trial_end: subscription.trialEnd,
  cancelled_at: subscription.cancelledAt,
  ended_at: subscription.endedAt,
  price_cents: subscription.priceCents,
  currency: subscription.currency,
  created_at: subscription.createdAt,
})
type Written = 'id' | 'account_id' | 'past_due_at'

type SubscriptionMirror = Insertable<SubscriptionTable> & { reference: string }

/** Upserts by reference; a known subscription keeps its id. */
const upsertSubscription = async (tx: Tx<Tables>, row: SubscriptionMirror): Promise<void> => {
  const { id: _id, account_id, created_at: _created, ...change } = row
  await tx
    .insertInto('subscription')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('reference').doUpdateSet(change).where('subscription.account_id', '=', account_id),
    )
    .execute()
}

/** Leaves those that were read. */
const mirrorMethods = async (tx: Tx<Tables>, accountId: string, methods: readonly ProviderMethod[]): Promise<void> => {
  const references = methods.map(({ reference }) => reference)
  const standard = methods.find(({ is_default }) => is_default)?.reference ?? null
  await tx.query({
    name: 'delete-lost-payment-methods',
    text: 'delete from payment_method where account_id = $1 and not reference = any($2)',
    values: [accountId, references],
  })
  // There is one default at a time: first the old one stops being it.
  await tx.query({
    name: 'drop-default-payment-method',
    text: `update payment_method set is_default = false
           where account_id = $1 and is_default and reference is distinct from $2`,
    values: [accountId, standard],
  })
  await tx.query({
    name: 'mirror-payment-methods',
    text: `insert into payment_method
             (account_id, id, reference, type, brand, last4, exp_month, exp_year, is_default, created_at)
           select $1, id, reference, type, brand, last4, exp_month, exp_year, is_default, created_at
           from jsonb_to_recordset($2) as read (id uuid, reference text, type text, brand text, last4 text,
             exp_month integer, exp_year integer, is_default boolean, created_at timestamptz)
           on conflict (reference) do update set type = excluded.type, brand = excluded.brand, last4 = excluded.last4,
             exp_month = excluded.exp_month, exp_year = excluded.exp_year, is_default = excluded.is_default
           where payment_method.account_id = excluded.account_id`,
    values: [accountId, JSON.stringify(methods.map((method) => ({ ...method, id: newId() })))],
  })
}

/** Past payments are kept; undecided transactions may vanish, such as a draft invoice. */
const mirrorTransactions = async (
  tx: Tx<Tables>,
  accountId: string,
  transactions: readonly ProviderTransaction[],
): Promise<void> => {
  await tx.query({
    name: 'delete-lost-transactions',
    text: `delete from payment_transaction
           where account_id = $1 and status = 'pending' and not reference = any($2)`,
    values: [accountId, transactions.map(({ reference }) => reference)],
  })
  await tx.query({
    name: 'mirror-transactions',
    text: `insert into payment_transaction as old (account_id, id, reference, type, status, amount_cents, tax_cents,
             currency, description, number, invoice_url, period_start, period_end, created_at, settled_at)
           select $1, id, reference, type, status, amount_cents, tax_cents, currency, description, number, invoice_url,
             period_start, period_end, created_at, settled_at
           from jsonb_to_recordset($2) as read (id uuid, reference text, type text, status text, amount_cents bigint,
             tax_cents bigint, currency text, description text, number text, invoice_url text,
             period_start timestamptz, period_end timestamptz, created_at timestamptz, settled_at timestamptz)
           on conflict (reference) do update set status = excluded.status, amount_cents = excluded.amount_cents,
             tax_cents = excluded.tax_cents, description = excluded.description, number = excluded.number,
             invoice_url = excluded.invoice_url, period_start = excluded.period_start,
             period_end = excluded.period_end, settled_at = excluded.settled_at
           where old.account_id = excluded.account_id
             and (old.status, old.amount_cents, old.tax_cents, old.description, old.number, old.invoice_url,
                  old.period_start, old.period_end, old.settled_at)
               is distinct from (excluded.status, excluded.amount_cents, excluded.tax_cents, excluded.description,
                  excluded.number, excluded.invoice_url, excluded.period_start, excluded.period_end,
                  excluded.settled_at)`,
    values: [accountId, JSON.stringify(transactions.map((transaction) => ({ ...transaction, id: newId() })))],
  })
}

/** A tax ID without a reference, stored while no provider was configured, is kept. */
const mirrorTaxId = async (
  tx: Tx<Tables>,
  accountId: string,
  taxId: ProviderCustomer['taxId'],
  now: Date,
): Promise<void> => {
  if (!taxId) {
    await tx.deleteFrom('tax_id').where('account_id', '=', accountId).where('reference', 'is not', null).execute()
    return
  }
  const { reference, type, value, country, status } = taxId
  const row = { reference, type, value, country, status, updated_at: now }
  await tx
    .insertInto('tax_id')
    .values({ account_id: accountId, ...row })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
    .execute()
}
