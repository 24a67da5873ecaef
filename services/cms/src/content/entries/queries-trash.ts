import type { CmsDb, CmsTx } from '../../context.ts'

/** Entries that came into the trash until then, in the order of their ids. */
export const listTrashIds = async (
  db: CmsDb,
  { until, after, limit }: { until: Date; after: string | null; limit: number },
): Promise<string[]> => {
  const rows = await db.query<{ id: string }>({
    text: `select id from entry where deleted_at is not null and deleted_at <= $1 and ($2::uuid is null or id > $2)
      order by id limit $3`,
    values: [until, after, limit],
  })
  return rows.map(({ id }) => id)
}

/** Those of the entries that are still there; nobody restores them before the transaction ends. */
export const lockTrash = async (
  tx: CmsTx,
  { ids, until }: { ids: readonly string[]; until: Date },
): Promise<string[]> => {
  const rows = await tx.query<{ id: string }>({
    text: `select id from entry where id = any ($1::uuid[]) and deleted_at is not null and deleted_at <= $2
      order by id for update skip locked`,
    values: [ids, until],
  })
  return rows.map(({ id }) => id)
}

/** For good. Where an origin goes, its oldest translation takes its place. */
export const deleteEntries = async (tx: CmsTx, ids: readonly string[]): Promise<void> => {
  await tx.query({
    text: `with heir as (
        select distinct on (translation_of) translation_of, id from entry
        where translation_of = any($1::uuid[]) and not id = any($1::uuid[])
        order by translation_of, deleted_at is not null, created_at, id
      )
      update entry set translation_of = nullif(heir.id, entry.id) from heir
      where entry.translation_of = heir.translation_of and not entry.id = any($1::uuid[])`,
    values: [ids],
  })
  await tx.query({
    text: 'update entry set translation_of = null where id = any($1::uuid[]) and translation_of is not null',
    values: [ids],
  })
  await tx.deleteFrom('entry').where('id', 'in', ids).execute()
}
