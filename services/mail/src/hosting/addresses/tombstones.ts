import type { Tx } from '@stoa/kit/db/database.ts'
import type { Tables } from '../../tables.ts'
import { clearCatchAlls, deleteNames, deleteNamesAt, tombstoneAddressRows } from './queries.ts'

const RESTORABLE_MS = 7 * 86_400_000

/** Until when a domain or an address that is deleted now can be restored. */
export const restorableUntil = (now: Date): Date => new Date(now.getTime() + RESTORABLE_MS)

/**
 * Takes addresses out of sight, all of a domain or one, and frees their names at once. They can be restored until
 * `purgeAt`; from then on a job removes their mail.
 */
export const tombstoneAddresses = async (
  tx: Tx<Tables>,
  { now, purgeAt, ...which }: ({ domainId: string } | { addressId: string }) & { now: Date; purgeAt: Date },
): Promise<string[]> => {
  const ids = await tombstoneAddressRows(tx, which, { now, purgeAt })
  if (ids.length > 0) {
    await deleteNames(tx, ids)
    await clearCatchAlls(tx, ids, now)
  }
  if ('domainId' in which) await deleteNamesAt(tx, which.domainId)
  for (const addressId of ids) tx.changes.push({ topic: 'address', event: 'deleted', data: { addressId } })
  return ids
}
