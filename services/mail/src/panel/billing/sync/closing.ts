import type { Db, Tx } from '@stoa/kit/db/database.ts'
import { daysAfter } from '../../../hosting/plans/plans.ts'
import type { Tables } from '../../../tables.ts'
import { type PaymentProvider, ProviderError } from '../provider.ts'
import type { Reading } from './queries.ts'
import type { PaidParts } from './sync.ts'

/** How long requests that began before the account was deleted may still run. */
const REQUESTS_DAYS = 1 / 24
/** More than one would be a fault, and each of them costs money. */
const MAX_SUBSCRIPTIONS = 10

/**
 * Ends what a deleted account pays for. It is done once the provider says that nothing runs and nothing can begin any
 * more; until then the account is not purged, so that the money stops even if the provider is away for days.
 */
export const closeCustomer = async (parts: PaidParts, reading: Reading & { deletedAt: Date }): Promise<void> => {
  const { database, payments } = parts
  for (const reference of await listOpenCheckouts(database.db, reading.accountId))
    await ignoreEnded(payments.expireCheckout(reference))
  await cancelAll(payments, reading)
  const surelyAt = daysAfter(reading.deletedAt, REQUESTS_DAYS)
  await database.tx((tx) =>
    reading.beganAt < surelyAt ? postponeClosing(tx, reading, surelyAt) : deleteClosedCustomer(tx, reading),
  )
}

const cancelAll = async (payments: PaymentProvider, { accountId, reference }: Reading): Promise<void> => {
  for (let cancelled = 0; cancelled <= MAX_SUBSCRIPTIONS; cancelled += 1) {
    const subscription = (await payments.readCustomer(reference))?.subscription
    if (!subscription || subscription.endedAt) return
    await ignoreEnded(
      payments.cancelNow({
        subscription: subscription.reference,
        key: `close-${accountId}-${subscription.reference}`,
      }),
    )
  }
  throw new Error('the subscription of a deleted account goes on after it was cancelled')
}

/** Somebody else may have ended it meanwhile: the next read shows it. */
export const ignoreEnded = async (ending: Promise<void>): Promise<void> => {
  try {
    await ending
  } catch (error) {
    if (!(error instanceof ProviderError) || (error.problem !== 'not_found' && error.problem !== 'invalid')) throw error
  }
}

/** Without the provider's key nobody can end what deleted accounts pay for. */
export const warnOfUnclosed = async ({ database, log }: Pick<PaidParts, 'database' | 'log'>): Promise<void> => {
  const accounts = await countUnclosed(database.db)
  if (accounts > 0)
    log.warn({ accounts }, 'deleted accounts may still be charged: set STRIPE_SECRET_KEY so that their plans end')
}

/** Pages of the provider that may still be paid on. */
const listOpenCheckouts = async (db: Db<Tables>, accountId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('checkout')
    .select('reference')
    .where('account_id', '=', accountId)
    .where('status', '=', 'open')
    .execute()
  return rows.flatMap(({ reference }) => (reference === null ? [] : [reference]))
}

/** Unless it was asked for meanwhile: then it is read again at once. */
const postponeClosing = async (tx: Tx<Tables>, reading: Reading, until: Date): Promise<void> => {
  await tx
    .updateTable('billing_customer')
    .set({ sync_due_at: until, sync_attempts: 0, sync_error: null, synced_at: reading.beganAt })
    .where('account_id', '=', reading.accountId)
    .where('sync_claims', '=', reading.claims)
    .execute()
}

const deleteClosedCustomer = async (tx: Tx<Tables>, reading: Reading): Promise<void> => {
  await tx
    .deleteFrom('billing_customer')
    .where('account_id', '=', reading.accountId)
    .where('sync_claims', '=', reading.claims)
    .execute()
}

/** Customers of deleted accounts that were not closed yet. */
const countUnclosed = async (db: Db<Tables>): Promise<number> => {
  const row = await db
    .selectFrom('billing_customer')
    .innerJoin('account', 'account.id', 'billing_customer.account_id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account.deleted_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return row.count
}
