import { eachOnItsOwn, inPages } from '@stoa/kit/db/batches.ts'
import type { Tx } from '@stoa/kit/db/database.ts'
import type { Tables } from '../../../tables.ts'
import { updatePlans } from '../queries.ts'
import { notifyDue, notifyPaid, notifyTrialEnds } from './dunning.ts'
import { type BilledAccount, listClocks, lockBilledAccount, updatePastDue } from './entitlement-queries.ts'
import type { SyncParts } from './sync.ts'

export { type BilledAccount, lockBilledAccount } from './entitlement-queries.ts'

/**
 * Brings what the account may do in line with what it paid, and notifies it of what has changed. The owner of the
 * instance has no clock: their plan is not bought.
 */
export const applyEntitlement = async (
  parts: SyncParts,
  tx: Tx<Tables>,
  { account, pastDueAt: read }: { account: BilledAccount; pastDueAt: Date | null },
): Promise<void> => {
  const now = parts.clock.now()
  const pastDueAt = account.role === 'owner' ? null : read
  if (pastDueAt?.getTime() !== account.pastDueAt?.getTime()) await updatePastDue(tx, account.id, pastDueAt)
  await updatePlans(tx, { billing: parts.config.billing, accountIds: [account.id], now })
  if (parts.config.billing === 'off') return
  if (pastDueAt) await notifyDue(parts, tx, { account, pastDueAt })
  else if (account.pastDueAt) await notifyPaid(parts, tx, { account, pastDueAt: account.pastDueAt })
  await notifyTrialEnds(parts, tx, account)
}

const BATCH = 100

/** Goes through those whose clock runs, of unpaid invoices or of a trial: what time brings is brought by nobody else. */
export const runDunning = async (parts: SyncParts): Promise<void> => {
  const { database, log, clock, config } = parts
  if (config.billing === 'off') return
  await eachOnItsOwn(
    inPages<string>(BATCH, (after, limit) => listClocks(database.db, { now: clock.now(), after, limit })),
    (accountId) =>
      database.tx(async (tx) => {
        const account = await lockBilledAccount(tx, accountId)
        if (account) await applyEntitlement(parts, tx, { account, pastDueAt: account.pastDueAt })
      }),
    (err, accountId) => log.error({ err, accountId }, 'the status of unpaid invoices could not be updated'),
  )
}
