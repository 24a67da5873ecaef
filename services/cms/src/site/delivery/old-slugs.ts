import type { CmsDb } from '../../context.ts'
import {
  type Asked,
  type EntryRow,
  extraColumns,
  extrasName,
  LIVE_COLUMNS,
  SHAPE_COLUMNS,
  SHOWN_COLUMNS,
  templateOf,
} from './queries.ts'

/** The published entry that last had this slug, while it is no entry's slug. */
export const findByOldSlug = async (
  db: CmsDb,
  { type, slug, include, state }: Asked & { slug: string },
): Promise<EntryRow | null> => {
  const [row] = await db.query<EntryRow>({
    name: `delivery-old-slug${extrasName(include)}`,
    text: `select ${SHOWN_COLUMNS}, ${SHAPE_COLUMNS}${extraColumns(include)} from (
      select ${LIVE_COLUMNS} from entry where id = (
        select o.entry_id from entry_old_slug o join entry h on h.id = o.entry_id
        where o.type = $1 and o.slug = $2 and h.status = 'published' and h.deleted_at is null
        order by o.left_at desc, o.entry_id desc limit 1
      ) and not exists (select from entry where type = $1 and slug = $2 and deleted_at is null)) e ${templateOf('state = $3')}`,
    values: [type, slug, state],
  })
  return row ?? null
}
