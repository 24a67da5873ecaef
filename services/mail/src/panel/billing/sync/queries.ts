import type { Tx } from '@stoa/kit/db/database.ts'
import type { Insertable } from 'kysely'
import type { PaymentEventTable } from '../../../tables/billing.ts'
import type { Tables } from '../../../tables.ts'

/** A read that has begun. `claims` shows whether another read was requested meanwhile. */
export type Reading = {
  accountId: string
  reference: string
  number: number
  claims: number
  beganAt: Date
  /** When the account was deleted. */
  deletedAt: Date | null
}

export const beginReading = async (tx: Tx<Tables>, accountId: string, now: Date): Promise<Reading | undefined> => {
  const [row] = await tx.query<Omit<Reading, 'beganAt'>>({
    name: 'begin-billing-reading',
    text: `update billing_customer set readings = readings + 1
           from account
           where account.id = $1 and billing_customer.account_id = account.id
           returning billing_customer.account_id as "accountId", billing_customer.reference, readings as number,
             sync_claims as claims, account.deleted_at as "deletedAt"`,
    values: [accountId],
  })
  return row && { ...row, beganAt: now }
}

/**
 * Takes the place of every reading that began earlier; false when a later one is written already. The customer is read
 * enough unless it was asked for again since this one began.
 */
export const takeReading = async (tx: Tx<Tables>, reading: Reading, balanceCents: number): Promise<boolean> => {
  const rows = await tx.query({
    name: 'take-billing-reading',
    text: `update billing_customer set reading_written = $2, synced_at = $3, balance_cents = $4,
             sync_attempts = 0, sync_error = null,
             sync_due_at = case when sync_claims = $5 then null else sync_due_at end
           where account_id = $1 and reading_written < $2 returning 1`,
    values: [reading.accountId, reading.number, reading.beganAt, balanceCents, reading.claims],
  })
  return rows.length > 0
}

/** Has a customer read at a moment, or earlier if it is due earlier. Who reads it now does not take this away. */
export const markDue = async (
  tx: Tx<Tables>,
  customer: { accountId: string } | { reference: string },
  at: Date,
): Promise<void> => {
  const [column, value] =
    'accountId' in customer ? ['account_id', customer.accountId] : ['reference', customer.reference]
  await tx.query({
    name: `mark-billing-customer-${column}`,
    text: `update billing_customer set sync_due_at = least(sync_due_at, $2), sync_claims = sync_claims + 1
           where ${column} = $1`,
    values: [value, at],
  })
}

/** False when it was taken before. */
export const insertEvent = async (tx: Tx<Tables>, event: Insertable<PaymentEventTable>): Promise<boolean> => {
  const row = await tx
    .insertInto('payment_event')
    .values(event)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export const deleteOldEvents = async (tx: Tx<Tables>, before: Date, limit: number): Promise<number> => {
  const gone = await tx
    .deleteFrom('payment_event')
    .where('id', 'in', (query) =>
      query
        .selectFrom('payment_event')
        .select('id')
        .where('received_at', '<', before)
        .orderBy('received_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning('id')
    .execute()
  return gone.length
}

/** Marks a few customers that were not read for the longest, in the order of that; gives how many. */
export const markStale = async (
  tx: Tx<Tables>,
  { before, now, limit }: { before: Date; now: Date; limit: number },
): Promise<number> => {
  const rows = await tx.query({
    name: 'mark-stale-billing-customers',
    text: `update billing_customer set sync_due_at = $2, sync_claims = sync_claims + 1
           where account_id = any (array(
             select account_id from billing_customer
             where sync_due_at is null and (synced_at is null or synced_at < $1)
             order by synced_at nulls first limit $3 for update skip locked))
           returning 1`,
    values: [before, now, limit],
  })
  return rows.length
}

/** Deletes a customer that was deleted at the provider, or whose account is closed. */
export const deleteCustomer = async (tx: Tx<Tables>, { accountId, reference }: Reading): Promise<void> => {
  await tx
    .deleteFrom('billing_customer')
    .where('account_id', '=', accountId)
    .where('reference', '=', reference)
    .execute()
}
