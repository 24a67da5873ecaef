import { eachOnItsOwn, inBatches, inPages } from '@stoa/kit/db/batches.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import type { Log } from '@stoa/kit/log.ts'
import type { Tables } from '../../tables.ts'
import { deleteRefusedOfGone } from '../trace/trace.ts'
import {
  deleteAddressRow,
  deleteEmptyDomain,
  deleteSomeLinks,
  deleteSomeOf,
  findDeletedAddresses,
  findEmptyDomains,
} from './purge-queries.ts'

type PurgeParts = { database: Database<Tables>; log: Log }

const ADDRESSES_AT_ONCE = 20
/** Small enough that a statement takes milliseconds and blocks nobody. */
const ROWS_AT_ONCE = 500

/**
 * Removes what deleted addresses and domains left: nobody can see it any more, so it may take its time. What is cut off
 * goes on with the next call, and several processes may do it at once.
 */
export const purgeDeleted = async ({ database, log }: PurgeParts): Promise<{ addresses: number; domains: number }> => {
  const addresses = await eachOnItsOwn(
    inPages<string>(ADDRESSES_AT_ONCE, (after, limit) => findDeletedAddresses(database.db, after, limit)),
    (id) => purgeAddress(database, id),
    (err, addressId) => log.error({ err, addressId }, 'what a deleted address left could not be removed'),
  )
  await inBatches(database, ROWS_AT_ONCE, deleteRefusedOfGone)
  const domains = await eachOnItsOwn(
    inPages<string>(ROWS_AT_ONCE, (after, limit) => findEmptyDomains(database.db, after, limit)),
    (id) => database.tx((tx) => deleteEmptyDomain(tx, id)),
    (err, domainId) => log.error({ err, domainId }, 'a deleted domain could not be removed'),
  )
  return { addresses, domains }
}

const purgeAddress = async (database: Database<Tables>, addressId: string): Promise<void> => {
  for (const deleteSome of [deleteSomeOf, deleteSomeLinks])
    await inBatches(database, ROWS_AT_ONCE, (tx, limit) => deleteSome(tx, addressId, limit))
  await database.tx((tx) => deleteAddressRow(tx, addressId))
}
