import type { Database, Tx } from '@stoa/kit/db/database.ts'
import type { Log } from '@stoa/kit/log.ts'
import type { Config } from '../../../config.ts'
import type { SystemMailParts } from '../../../hosting/system-mail/system-mail.ts'
import type { Tables } from '../../../tables.ts'
import type { PaymentProvider, ProviderCustomer } from '../provider.ts'
import { closeCustomer, ignoreEnded } from './closing.ts'
import { beginReading, markDue } from './queries.ts'
import { writeReading } from './write.ts'

/** What reading a customer needs; `ctx.parts` is enough. */
export type SyncParts = SystemMailParts & {
  readonly config: Pick<Config, 'billing' | 'payment'>
  readonly database: Database<Tables>
  readonly log: Log
  readonly payments: PaymentProvider | null
}

/** With a provider that is there. */
export type PaidParts = SyncParts & { readonly payments: PaymentProvider }

/** The queue of customers is polled on this notification. */
export const BILLING_TOPIC = 'billing'

/**
 * Stores all that the provider has of an account, and what follows from it: plan, unpaid invoices, notifications. Call it
 * outside of a transaction.
 */
export const syncAccount = async (parts: SyncParts, accountId: string): Promise<void> => {
  const { payments, database, clock } = parts
  if (!payments) return
  const now = clock.now()
  const reading = await database.tx((tx) => beginReading(tx, accountId, now))
  if (!reading) return
  const { deletedAt } = reading
  if (deletedAt) return closeCustomer({ ...parts, payments }, { ...reading, deletedAt })
  const customer = await readCustomer(payments, reading.reference)
  await database.tx((tx) => writeReading({ ...parts, payments }, tx, { reading, customer }))
}

/**
 * Nobody means to pay twice: when more than one subscription runs, because one was bought on a page of the provider
 * that stood open meanwhile, the newest stays, and what was paid for the others is credited.
 */
const readCustomer = async (payments: PaymentProvider, reference: string): Promise<ProviderCustomer | undefined> => {
  const customer = await payments.readCustomer(reference)
  if (!customer || customer.otherSubscriptions.length === 0) return customer
  for (const subscription of customer.otherSubscriptions)
    await ignoreEnded(payments.cancelNow({ subscription, credit: true, key: `other-${subscription}` }))
  return payments.readCustomer(reference)
}

/** How long a request may take to change something at the provider and to read it. */
const CHANGE_MS = 60_000

/**
 * To be called before something is changed at the provider: the worker reads the customer when this process dies before
 * it does so, or when the answer is lost.
 */
export const expectChange = (parts: Pick<SyncParts, 'database' | 'clock'>, accountId: string): Promise<void> =>
  parts.database.tx((tx) => markDue(tx, { accountId }, new Date(parts.clock.now().getTime() + CHANGE_MS)))

/** Has the worker read a customer as soon as the transaction commits. */
export const requestSync = async (
  tx: Tx<Tables>,
  customer: { accountId: string } | { reference: string },
  now: Date,
): Promise<void> => {
  await markDue(tx, customer, now)
  tx.changes.push({ topic: BILLING_TOPIC, event: 'due', data: {} })
}
