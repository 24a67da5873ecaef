import type { Tx } from '@stoa/kit/db/database.ts'
import type { Tables } from '../../tables.ts'
import { updateSuspension } from './queries.ts'

/** A suspended account receives and reads mail but sends none. Gives false when there is no such account. */
export const setSuspended = async (
  tx: Tx<Tables>,
  { email, isSuspended, now }: { email: string; isSuspended: boolean; now: Date },
): Promise<boolean> => {
  const accountId = await updateSuspension(tx, email, isSuspended ? now : null)
  if (accountId === undefined) return false
  tx.changes.push({ topic: 'account', event: isSuspended ? 'suspended' : 'resumed', data: { accountId } })
  return true
}

export { listAccountStates } from './queries.ts'
