import type { Tx } from '@stoa/kit/db/database.ts'
import type { Tables } from '../../tables.ts'
import { updateSuspension } from './queries.ts'

/** A suspended account receives and reads mail but sends none. */
export const suspendAccount = async (
  tx: Tx<Tables>,
  { accountId, reason, now }: { accountId: string; reason: string | null; now: Date },
): Promise<void> => {
  await updateSuspension(tx, accountId, { at: now, reason })
  tx.changes.push({ topic: 'account', event: 'suspended', data: { accountId } })
}

export const resumeAccount = async (tx: Tx<Tables>, accountId: string): Promise<void> => {
  await updateSuspension(tx, accountId, null)
  tx.changes.push({ topic: 'account', event: 'resumed', data: { accountId } })
}

export { listAccountStates } from './queries.ts'
