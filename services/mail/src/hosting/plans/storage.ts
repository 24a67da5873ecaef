import type { Db } from '@stoa/kit/db/database.ts'
import type { Tables } from '../../tables.ts'
import { limitsOfAccount, type PlanName } from './plan-limits.ts'
import { findStorageUse } from './queries.ts'

const UNLIMITED = 'unlimited' satisfies PlanName

/**
 * How many bytes a mailbox may hold: its own quota, and what the other mailboxes leave of the account's storage. Null
 * is no limit. It is what `addMessage` takes as `quotaBytes`.
 */
export const quotaOf = async (db: Db<Tables>, addressId: string): Promise<number | null> => {
  const use = await findStorageUse(db, addressId, UNLIMITED)
  if (!use) return 0
  const { storageBytes } = limitsOfAccount(use)
  const left = storageBytes === null ? null : Math.max(0, storageBytes - use.othersBytes)
  if (left === null || use.quotaBytes === null) return left ?? use.quotaBytes
  return Math.min(left, use.quotaBytes)
}
