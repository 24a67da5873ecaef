import { deleteSomeOf, eachOnItsOwn, inBatches, inPages, type RowsOf, runSteps } from '@stoa/kit/db/batches.ts'
import type { Database, Db, Tx } from '@stoa/kit/db/database.ts'
import type { Log } from '@stoa/kit/log.ts'
import type { Tables } from '../../tables.ts'

type PurgeParts = { database: Database<Tables>; log: Log; now: Date }

const ADDRESSES_AT_ONCE = 20
/** Small enough that a statement takes milliseconds and blocks nobody. */
const ROWS_AT_ONCE = 500

/**
 * Removes what addresses and domains left that were deleted and can't be restored any more: it may take its time. What is
 * cut off goes on with the next call, and several processes may do it at once.
 */
export const purgeDeleted = async ({
  database,
  log,
  now,
}: PurgeParts): Promise<{ addresses: number; domains: number }> => {
  const removed = { addresses: 0, domains: 0 }
  const removeAddresses = async (): Promise<void> => {
    removed.addresses = await eachOnItsOwn(
      inPages<string>(ADDRESSES_AT_ONCE, (after, limit) => findDeletedAddresses(database.db, { now, after, limit })),
      (id) => purgeAddress(database, id, now),
      (err, addressId) => log.error({ err, addressId }, 'what a deleted address left could not be removed'),
    )
  }
  const removeDomains = async (): Promise<void> => {
    removed.domains = await eachOnItsOwn(
      inPages<string>(ROWS_AT_ONCE, (after, limit) => findEmptyDomains(database.db, { now, after, limit })),
      (id) => purgeDomain(database, id, now),
      (err, domainId) => log.error({ err, domainId }, 'a deleted domain could not be removed'),
    )
  }
  await runSteps([removeAddresses, removeDomains])
  return removed
}

/** Null: by a version that knew no restoring. */
const IS_OVER = 'deleted_at is not null and coalesce(purge_at, deleted_at) <= '

/** The tombstone is sealed first: an address that is being restored keeps its mail. */
const purgeAddress = async (database: Database<Tables>, addressId: string, now: Date): Promise<void> => {
  if (!(await database.tx((tx) => sealTombstone(tx, { table: 'address', id: addressId, now })))) return
  await inBatches(database, ROWS_AT_ONCE, (tx, limit) => deleteSomeOf(tx, OF_ADDRESS, { id: addressId, limit }))
  await inBatches(database, ROWS_AT_ONCE, (tx, limit) => deleteSomeLinks(tx, addressId, limit))
  await database.tx((tx) => deleteAddressRow(tx, addressId))
}

/** A domain that is being restored is skipped. */
const purgeDomain = async (database: Database<Tables>, domainId: string, now: Date): Promise<void> => {
  if (!(await database.tx((tx) => sealTombstone(tx, { table: 'domain', id: domainId, now })))) return
  await inBatches(database, ROWS_AT_ONCE, (tx, limit) => deleteSomeOf(tx, OF_DOMAIN, { id: domainId, limit }))
  await database.tx((tx) => deleteEmptyDomain(tx, domainId, now))
}

/** Tables with so many rows per address that they are deleted in batches. */
const OF_ADDRESS: readonly RowsOf[] = [
  ...[
    'message',
    'deleted_message',
    'viewed',
    'folder_thread',
    'folder_metadata',
    'expunged',
    'change',
    'spam_word',
    'spam_lesson',
    'spam_pending',
    'activity',
    'receipt',
    'greylist',
    'submission',
    'contact',
    'sieve_memory',
    'bulk_job',
    'transfer',
    'webmail_session',
  ].map((table) => ({ table, column: 'address_id' })),
  { table: 'folder_metadata', column: 'viewer_id' },
  // Views of other mailboxes, which are found by their shares.
  {
    table: 'viewed',
    column: 'viewer_id',
    also: 'address_id = any (array(select address_id from share where with_address_id = $1))',
  },
]

/** Tables with so many rows per domain that they are deleted in batches. */
const OF_DOMAIN: readonly RowsOf[] = [
  { table: 'report', column: 'domain_id' },
  { table: 'refused_recipient', column: 'domain_id' },
]

type Batch = { now: Date; after: string | null; limit: number }

/** Prevents a restore from here on; false when it was restored before. */
const sealTombstone = async (
  tx: Tx<Tables>,
  { table, id, now }: { table: 'address' | 'domain'; id: string; now: Date },
): Promise<boolean> => {
  const rows = await tx.query({
    text: `update ${table} set purge_at = deleted_at where id = $1 and ${IS_OVER} $2 returning 1`,
    values: [id, now],
  })
  return rows.length > 0
}

/** In the order of their ids. */
const findDeletedAddresses = async (db: Db<Tables>, { now, after, limit }: Batch): Promise<string[]> => {
  const rows = await db.query<{ id: string }>({
    text: `select id from address where ${IS_OVER} $3 and ($1::uuid is null or id > $1) order by id limit $2`,
    values: [after, limit, now],
  })
  return rows.map(({ id }) => id)
}

/** Lets go of blobs; those that are still to be sent have other links. */
const deleteSomeLinks = async (tx: Tx<Tables>, addressId: string, limit: number): Promise<number> => {
  const gone = await tx.query<{ gone: number }>({
    text: `delete from blob_link where owner_id = $1 and ctid = any (array(
             select ctid from blob_link where owner_id = $1 and kind in ('message', 'upload', 'deleted') limit $2))
           returning 1 as gone`,
    values: [addressId, limit],
  })
  return gone.length
}

/** Deletes the address with everything that arrived in the meantime. */
const deleteAddressRow = async (tx: Tx<Tables>, addressId: string): Promise<void> => {
  await tx
    .deleteFrom('blob_link')
    .where('owner_id', '=', addressId)
    .where('kind', 'in', ['message', 'upload', 'deleted'])
    .execute()
  await tx.deleteFrom('address').where('id', '=', addressId).where('deleted_at', 'is not', null).execute()
}

/** Deleted domains that no address keeps any more, in the order of their ids. */
const findEmptyDomains = async (db: Db<Tables>, { now, after, limit }: Batch): Promise<string[]> => {
  const rows = await db.query<{ id: string }>({
    text: `select id from domain d where ${IS_OVER} $3 and ($1::uuid is null or id > $1)
             and not exists (select from address a where a.domain_id = d.id)
           order by id limit $2`,
    values: [after, limit, now],
  })
  return rows.map(({ id }) => id)
}

const deleteEmptyDomain = async (tx: Tx<Tables>, id: string, now: Date): Promise<void> => {
  await tx.query({
    text: `delete from domain d where id = $1 and ${IS_OVER} $2
             and not exists (select from address a where a.domain_id = d.id)`,
    values: [id, now],
  })
}
