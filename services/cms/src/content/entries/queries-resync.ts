import type { CmsDb, CmsTx } from '../../context.ts'
import { ENTRY_COLUMNS, ENTRY_PEOPLE, type EntryRow, toEntry } from './queries.ts'
import type { StoredEntry } from './record.ts'

export type Behind = { id: string; bytes: number }

export type BehindOf = { type: string; searchVersion: number; templateState: string }

/** Entries of the type that were written under other fields, in the order of their ids; also those in the trash. */
export const listBehind = (
  db: CmsDb,
  { type, searchVersion, templateState }: BehindOf,
  { after, limit }: { after: string | null; limit: number },
): Promise<Behind[]> =>
  // Without a name: the plan depends on how many entries the type has.
  db.query({
    text: `select e.id, pg_column_size(e.data) + coalesce(pg_column_size(e.pending), 0) as bytes
      from entry e left join entry_search s on s.entry_id = e.id left join entry_template t on t.entry_id = e.id
      where e.type = $1 and (s.fields_version is distinct from $2
          or e.status = 'published' and e.deleted_at is null
            and (t.version is distinct from e.live_version or t.state is distinct from $5))
        and ($3::uuid is null or e.id > $3)
      order by e.id limit $4`,
    values: [type, searchVersion, after, limit, templateState],
  })

/** Keys of fields, also of lists, of which some entry has a value that is not right any more, also in the trash or not published. */
export const listMisfits = async (db: CmsDb, type: string): Promise<string[]> => {
  const rows = await db.query<{ key: string }>({
    text: `select distinct regexp_replace(place, '[.][0-9]+[.]', '.', 'g') as key
      from entry_search s join entry e on e.id = s.entry_id
      cross join lateral unnest(s.misfits || s.pending_misfits) as place
      where e.type = $1 and (s.misfits is not null or s.pending_misfits is not null) order by key`,
    values: [type],
  })
  return rows.map(({ key }) => key)
}

/** Locks the entries that are not locked, and skips those being saved at this moment. */
export const lockFree = async (tx: CmsTx, ids: readonly string[]): Promise<StoredEntry[]> => {
  const rows = await tx.query<EntryRow>({
    name: 'lock-free-entries',
    text: `select ${ENTRY_COLUMNS} from entry e ${ENTRY_PEOPLE} where e.id = any ($1::uuid[])
      order by e.id for no key update of e skip locked`,
    values: [ids],
  })
  return rows.map(toEntry)
}

/**
 * The condition that the visible text of a live entry has the words: SQL over `entry_search s`, where `words` (a tsquery)
 * and `type` (the name of the entries' type) are expressions such as `$1`. While an entry was not reached yet after a
 * change of its type's fields, its text may still hold words of a field that is hidden now: it counts by its title alone.
 */
export const publicMatch = (words: string, type: string): string =>
  `s.public_document @@ ${words}::tsquery and (
    s.fields_version = (select search_version from content_type where name = ${type})
    or ts_filter(s.public_document, '{a}') @@ ${words}::tsquery)`
