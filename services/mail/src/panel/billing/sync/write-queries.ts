import type { Tx } from '@stoa/kit/db/database.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { Insertable } from 'kysely'
import type { SubscriptionTable } from '../../../tables/billing.ts'
import type { Tables } from '../../../tables.ts'
import type { ProviderCustomer, ProviderMethod, ProviderTransaction } from '../provider.ts'

export type SubscriptionMirror = Insertable<SubscriptionTable> & { reference: string }

/** By its reference; one that is known keeps its id. */
export const upsertSubscription = async (tx: Tx<Tables>, row: SubscriptionMirror): Promise<void> => {
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
export const mirrorMethods = async (
  tx: Tx<Tables>,
  accountId: string,
  methods: readonly ProviderMethod[],
): Promise<void> => {
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

/** What was paid stays; what is not decided yet may vanish, such as the draft of an invoice. */
export const mirrorTransactions = async (
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

/** One that the provider never had, because none was configured then, stays as it was given. */
export const mirrorTaxId = async (
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
