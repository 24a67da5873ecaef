import type { Tx } from '@stoa/kit/db/database.ts'
import type { Tables } from '../../tables.ts'
import { clearCatchAlls, deleteNames, deleteNamesAt, tombstoneAddressRows } from './queries.ts'

/** Takes addresses out of sight, all of a domain or one, and frees their names at once. A job removes their mail. */
export const tombstoneAddresses = async (
  tx: Tx<Tables>,
  { now, ...which }: ({ domainId: string } | { addressId: string }) & { now: Date },
): Promise<string[]> => {
  const ids = await tombstoneAddressRows(tx, which, now)
  if (ids.length > 0) {
    await deleteNames(tx, ids)
    await clearCatchAlls(tx, ids, now)
  }
  if ('domainId' in which) await deleteNamesAt(tx, which.domainId)
  for (const addressId of ids) tx.changes.push({ topic: 'address', event: 'deleted', data: { addressId } })
  return ids
}
