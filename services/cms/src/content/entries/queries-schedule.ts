import type { CmsDb, CmsTx } from '../../context.ts'
import { ENTRY_COLUMNS, ENTRY_PEOPLE, type EntryRow, toEntry } from './queries.ts'
import type { StoredEntry } from './record.ts'

export type Due = { id: string; at: Date }

/** Entries whose time has come, the earliest first; from there on, where `after` was the last. */
export const listDue = (
  db: CmsDb,
  { now, after, limit }: { now: Date; after: Due | null; limit: number },
): Promise<Due[]> =>
  db.query({
    name: 'list-due-entries',
    text: `select id, at from (
        select id, publish_at as at from entry where publish_at <= $1 and deleted_at is null
        union all
        select id, unpublish_at as at from entry where unpublish_at <= $1 and deleted_at is null
      ) as due
      where $2::timestamptz is null or (at, id) > ($2, $3::uuid)
      order by at, id limit $4`,
    values: [now, after?.at ?? null, after?.id ?? null, limit],
  })

/** The entry if its time has come and nobody else is at it. */
export const lockDue = async (tx: CmsTx, id: string, now: Date): Promise<StoredEntry | null> => {
  const [row] = await tx.query<EntryRow>({
    name: 'lock-due-entry',
    text: `select ${ENTRY_COLUMNS} from entry e ${ENTRY_PEOPLE}
      where e.id = $1 and e.deleted_at is null and (e.publish_at <= $2 or e.unpublish_at <= $2)
      for no key update of e skip locked`,
    values: [id, now],
  })
  return row ? toEntry(row) : null
}
