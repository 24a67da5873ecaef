import type { Database } from '@stoa/kit/db/database.ts'
import type { Tables } from '../tables.ts'
import { deleteRefusedOfGone } from '../trace/lines.ts'
import {
  deleteAddressRow,
  deleteEmptyDomains,
  deleteSomeLinks,
  deleteSomeOf,
  findDeletedAddresses,
} from './purge-queries.ts'

const ADDRESSES_AT_ONCE = 20
/** Small enough that a statement takes milliseconds and blocks nobody. */
const ROWS_AT_ONCE = 500

/**
 * Removes what deleted addresses and domains left: nobody can see it any more, so it may take its time. What is cut off
 * goes on with the next call, and several processes may do it at once.
 */
export const purgeDeleted = async (database: Database<Tables>): Promise<{ addresses: number; domains: number }> => {
  let addresses = 0
  for (;;) {
    const ids = await findDeletedAddresses(database.db, ADDRESSES_AT_ONCE)
    for (const id of ids) await purgeAddress(database, id)
    addresses += ids.length
    if (ids.length < ADDRESSES_AT_ONCE) break
  }
  while ((await database.tx((tx) => deleteRefusedOfGone(tx, ROWS_AT_ONCE))) > 0);
  const domains = await database.tx((tx) => deleteEmptyDomains(tx))
  return { addresses, domains }
}

const purgeAddress = async ({ tx }: Database<Tables>, addressId: string): Promise<void> => {
  const steps = [deleteSomeOf, deleteSomeLinks]
  for (const step of steps) while ((await tx((tx) => step(tx, addressId, ROWS_AT_ONCE))) > 0);
  await tx((tx) => deleteAddressRow(tx, addressId))
}
