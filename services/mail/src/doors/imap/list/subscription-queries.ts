import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { Tables } from '../../../tables.ts'

/** Names that an address subscribed to and that are no folder of its own. */
export const findSubscribedNames = async (db: Db<Tables>, addressId: string): Promise<string[]> => {
  const rows = await db.query<{ name: string }>({
    name: 'imap-find-subscribed-names',
    text: 'select name from folder_subscription where address_id = $1 order by name',
    values: [addressId],
  })
  return rows.map(({ name }) => name)
}

/** False: there are as many as there may be. */
export const insertSubscribedName = async (
  tx: Tx<Tables>,
  { addressId, name, max }: { addressId: string; name: string; max: number },
): Promise<boolean> => {
  const [row] = await tx.query<{ fits: boolean }>({
    text: `with known as (select count(*) as count from folder_subscription where address_id = $1), made as (
        insert into folder_subscription (address_id, name) select $1, $2 from known where count < $3
        on conflict do nothing
      ) select count < $3 as fits from known`,
    values: [addressId, name, max],
  })
  return row?.fits ?? false
}

export const deleteSubscribedName = async (tx: Tx<Tables>, addressId: string, name: string): Promise<void> => {
  await tx.query({
    text: 'delete from folder_subscription where address_id = $1 and name = $2',
    values: [addressId, name],
  })
}
