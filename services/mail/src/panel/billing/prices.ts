import type { Clock } from '@stoa/kit/clock.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import type { Bus } from '@stoa/kit/events/bus.ts'
import type { Log } from '@stoa/kit/log.ts'
import { createReload } from '@stoa/kit/reload.ts'
import { type PlanPrices, PRICE_OFFERS, type Price } from '../../hosting/plans/plans.ts'
import type { Tables } from '../../tables.ts'
import { listPrices, putPrice } from './price-queries.ts'
import { type PaymentProvider, ProviderError } from './provider.ts'

const TOPIC = 'plan_price'

type Parts = { database: Database<Tables>; log: Log }

/** The prices that were read last, kept in memory: each answer about plans names them. */
export type KeptPrices = PlanPrices & { close(): void }

/** Without payments our own amounts count. */
export const openPrices = async (
  { database, bus }: Parts & { bus: Bus },
  payments: PaymentProvider | null,
): Promise<KeptPrices> => {
  if (!payments) return { get: () => undefined, close: () => undefined }
  let kept: ReadonlyMap<string, Price> = new Map()
  const load = createReload(async () => {
    kept = new Map(await listPrices(database.db))
  })
  const leave = bus.subscribe(({ topic }) => (topic === TOPIC ? load() : undefined), load)
  await load()
  return { get: (plan) => kept.get(plan), close: leave }
}

type SyncParts = Parts & { clock: Clock; payments: PaymentProvider | null }

/** Reads what plans cost at the provider, where those that are missing are created. Without it the last ones stay. */
export const syncPrices = async ({ database, log, clock, payments }: SyncParts): Promise<void> => {
  if (!payments) return
  const { prices, problems } = await payments.prices(PRICE_OFFERS)
  for (const problem of problems) log.warn({ problem }, 'a plan cannot be sold')
  const now = clock.now()
  await database.tx(async (tx) => {
    const before = new Map(await listPrices(tx))
    for (const { plan, reference, amountCents: cents, currency, interval, trialDays } of prices) {
      const price = { reference, cents, currency, interval, trialDays }
      await putPrice(tx, plan, price, now)
      if (!isSame(before.get(plan), price)) tx.changes.push({ topic: TOPIC, event: 'updated', data: { plan } })
    }
  })
}

/** A start waits this long for a provider that is slow, and not at all for one that is down. */
const START_MS = 5_000

/** The service starts all the same when the provider cannot be reached. */
export const syncPricesAtStart = async (parts: SyncParts): Promise<void> => {
  const reading = syncPrices(parts).catch((err: unknown) =>
    parts.log.warn(
      err instanceof ProviderError ? { problem: err.problem, reason: err.message } : { err },
      'the prices of plans could not be read from the payment provider; the last known ones count',
    ),
  )
  const { promise: patience, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, START_MS)
  await Promise.race([reading, patience])
  clearTimeout(timer)
}

const isSame = (one: Price | undefined, other: Price): boolean =>
  one !== undefined &&
  one.reference === other.reference &&
  one.cents === other.cents &&
  one.currency === other.currency &&
  one.interval === other.interval &&
  one.trialDays === other.trialDays
