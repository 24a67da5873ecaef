import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { Tables } from '../../../tables.ts'

export type LabelRow = { name: string; total: number; displayName: string | null; color: string | null }

/**
 * What a mailbox's owner marks messages with, and labels that no message has yet: whatever programs set begins with `$`.
 */
export const readLabels = (db: Db<Tables>, addressId: string, limit: number): Promise<LabelRow[]> =>
  db.query<LabelRow>({
    name: 'webmail-labels',
    text: `select name, coalesce(used.total, 0) as total, label.display_name as "displayName", label.color
           from (
             select keyword as name, count(*) as total from message, unnest(keywords) keyword
             where address_id = $1 and keywords <> '{}' and keyword ~ '^[a-z0-9_-]{1,64}$'
             group by keyword
           ) used full join (select * from label where address_id = $1) label using (name)
           order by total desc, name limit $2`,
    values: [addressId, limit],
  })

/** Counts the messages of one label. */
export const countLabel = async (db: Db<Tables>, addressId: string, name: string): Promise<number> => {
  const [row] = await db.query<{ total: number }>({
    name: 'webmail-count-label',
    text: 'select count(*) as total from message where address_id = $1 and keywords @> array[$2]',
    values: [addressId, name],
  })
  return row?.total ?? 0
}

type LabelLook = { addressId: string; name: string; displayName: string; color: string | null; now: Date }

/** Sets how a label is shown; false, and nothing written, when it is one too many. */
export const putLabelRow = async (tx: Tx<Tables>, label: LabelLook, max: number): Promise<boolean> => {
  const rows = await tx.query({
    text: `insert into label as l (address_id, name, display_name, color, updated_at)
           select $1, $2, $3, $4, $5 where exists (select from label where address_id = $1 and name = $2)
             or (select count(*) from label where address_id = $1) < $6
           on conflict (address_id, name) do update set display_name = excluded.display_name, color = excluded.color,
             updated_at = excluded.updated_at
           returning 1`,
    values: [label.addressId, label.name, label.displayName, label.color, label.now, max],
  })
  return rows.length > 0
}

export const deleteLabelRow = async (tx: Tx<Tables>, addressId: string, name: string): Promise<void> => {
  await tx.deleteFrom('label').where('address_id', '=', addressId).where('name', '=', name).execute()
}
