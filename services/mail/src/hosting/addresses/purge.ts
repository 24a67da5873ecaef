import { eachOnItsOwn, inBatches, inPages } from '@stoa/kit/db/batches.ts'
import type { Database, Db, Tx } from '@stoa/kit/db/database.ts'
import type { Log } from '@stoa/kit/log.ts'
import type { Tables } from '../../tables.ts'
import { deleteRefusedOfGone } from '../trace/trace.ts'

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

/** What an address may have so much of that one statement for all of it would take too long. */
const LARGE = [
  'message',
  'viewed',
  'folder_thread',
  'expunged',
  'change',
  'spam_word',
  'spam_lesson',
  'activity',
  'receipt',
] as const

/** In the order of their ids. */
const findDeletedAddresses = async (db: Db<Tables>, after: string | null, limit: number): Promise<string[]> => {
  const rows = await db.query<{ id: string }>({
    text: `select id from address where deleted_at is not null and ($1::uuid is null or id > $1) order by id limit $2`,
    values: [after, limit],
  })
  return rows.map(({ id }) => id)
}

/** Removes at most so many rows over all tables, and what hangs on them; gives how many. */
const deleteSomeOf = async (tx: Tx<Tables>, addressId: string, limit: number): Promise<number> => {
  let left = limit
  for (const table of LARGE) {
    const gone = await tx.query<{ gone: number }>({
      text: `delete from ${table} where ctid = any (array(select ctid from ${table} where address_id = $1 limit $2))
             returning 1 as gone`,
      values: [addressId, left],
    })
    left -= gone.length
    if (left === 0) break
  }
  return limit - left
}

/** Lets go of blobs; those that are still to be sent have other links. */
const deleteSomeLinks = async (tx: Tx<Tables>, addressId: string, limit: number): Promise<number> => {
  const gone = await tx.query<{ gone: number }>({
    text: `delete from blob_link where ctid = any (array(
             select ctid from blob_link where owner_id = $1 and kind in ('message', 'upload') limit $2))
           returning 1 as gone`,
    values: [addressId, limit],
  })
  return gone.length
}

/** Also what arrived in the meantime goes with it. */
const deleteAddressRow = async (tx: Tx<Tables>, addressId: string): Promise<void> => {
  await tx
    .deleteFrom('blob_link')
    .where('owner_id', '=', addressId)
    .where('kind', 'in', ['message', 'upload'])
    .execute()
  await tx.deleteFrom('address').where('id', '=', addressId).where('deleted_at', 'is not', null).execute()
}

/** Deleted domains that no address keeps any more, in the order of their ids. */
const findEmptyDomains = async (db: Db<Tables>, after: string | null, limit: number): Promise<string[]> => {
  const rows = await db.query<{ id: string }>({
    text: `select id from domain d where deleted_at is not null and ($1::uuid is null or id > $1)
             and not exists (select from address a where a.domain_id = d.id)
           order by id limit $2`,
    values: [after, limit],
  })
  return rows.map(({ id }) => id)
}

const deleteEmptyDomain = async (tx: Tx<Tables>, id: string): Promise<void> => {
  await tx.query({
    text: `delete from domain d where id = $1 and deleted_at is not null
             and not exists (select from address a where a.domain_id = d.id)`,
    values: [id],
  })
}
