import type { Db } from '@stoa/kit/db/database.ts'
import type { Tables } from '../../tables.ts'

export type LabelRow = { name: string; total: number }

/** What a mailbox's owner marks messages with: whatever programs set begins with `$`. */
export const readLabels = (db: Db<Tables>, addressId: string, limit: number): Promise<LabelRow[]> =>
  db.query<LabelRow>({
    name: 'webmail-labels',
    text: `select keyword as name, count(*) as total
           from message, unnest(keywords) keyword
           where address_id = $1 and keywords <> '{}' and keyword ~ '^[a-z0-9_-]{1,64}$'
           group by keyword order by total desc, keyword limit $2`,
    values: [addressId, limit],
  })
