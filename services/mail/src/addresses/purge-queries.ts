import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { Tables } from '../tables.ts'

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

export const findDeletedAddresses = async (db: Db<Tables>, limit: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('address')
    .select('id')
    .where('deleted_at', 'is not', null)
    .orderBy('deleted_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Removes some rows of one table, and what hangs on them; gives how many are gone over all tables. */
export const deleteSomeOf = async (tx: Tx<Tables>, addressId: string, limit: number): Promise<number> => {
  for (const table of LARGE) {
    const gone = await tx.query<{ gone: number }>({
      text: `delete from ${table} where ctid = any (array(select ctid from ${table} where address_id = $1 limit $2))
             returning 1 as gone`,
      values: [addressId, limit],
    })
    if (gone.length > 0) return gone.length
  }
  return 0
}

/** Lets go of blobs; those that are still to be sent have other links. */
export const deleteSomeLinks = async (tx: Tx<Tables>, addressId: string, limit: number): Promise<number> => {
  const gone = await tx.query<{ gone: number }>({
    text: `delete from blob_link where ctid = any (array(
             select ctid from blob_link where owner_id = $1 and kind in ('message', 'upload') limit $2))
           returning 1 as gone`,
    values: [addressId, limit],
  })
  return gone.length
}

/** Also what arrived in the meantime goes with it. */
export const deleteAddressRow = async (tx: Tx<Tables>, addressId: string): Promise<void> => {
  await tx
    .deleteFrom('blob_link')
    .where('owner_id', '=', addressId)
    .where('kind', 'in', ['message', 'upload'])
    .execute()
  await tx.deleteFrom('address').where('id', '=', addressId).where('deleted_at', 'is not', null).execute()
}

/** Removes deleted domains that no address keeps any more. */
export const deleteEmptyDomains = async (tx: Tx<Tables>): Promise<number> => {
  const gone = await tx
    .deleteFrom('domain')
    .where('deleted_at', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('address').select('id').whereRef('address.domain_id', '=', 'domain.id'))),
    )
    .returning('id')
    .execute()
  return gone.length
}
