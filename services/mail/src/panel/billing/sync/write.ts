import type { Tx } from '@stoa/kit/db/database.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { Tables } from '../../../tables.ts'
import type { ProviderCustomer, ProviderSubscription } from '../provider.ts'
import { findSubscription, type SubscriptionRow, updateSubscription } from '../queries.ts'
import { recordReferral } from './credits.ts'
import { applyEntitlement, type BilledAccount, lockBilledAccount } from './entitlement.ts'
import { deleteCustomer, type Reading, takeReading } from './queries.ts'
import type { PaidParts } from './sync.ts'
import {
  mirrorMethods,
  mirrorTaxId,
  mirrorTransactions,
  type SubscriptionMirror,
  upsertSubscription,
} from './write-queries.ts'

/** What is written of a customer that the provider does not know any more. What was paid stays. */
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
  // It buys nothing, and somebody must know.
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
