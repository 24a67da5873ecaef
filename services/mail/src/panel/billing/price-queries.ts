import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { Price } from '../../hosting/plans/plans.ts'
import type { Tables } from '../../tables.ts'

/** Prices by plan. */
export const listPrices = async (db: Db<Tables>): Promise<[plan: string, price: Price][]> => {
  const rows = await db.selectFrom('plan_price').selectAll().execute()
  return rows.map(({ plan, reference, price_cents, currency, interval, trial_days }) => [
    plan,
    { reference, cents: price_cents, currency, interval, trialDays: trial_days },
  ])
}

export const putPrice = async (
  tx: Tx<Tables>,
  plan: string,
  price: Price & { reference: string },
  now: Date,
): Promise<void> => {
  const row = {
    reference: price.reference,
    price_cents: price.cents,
    currency: price.currency,
    interval: price.interval,
    trial_days: price.trialDays,
    read_at: now,
  }
  await tx
    .insertInto('plan_price')
    .values({ plan, ...row })
    .onConflict((conflict) => conflict.column('plan').doUpdateSet(row))
    .execute()
}
