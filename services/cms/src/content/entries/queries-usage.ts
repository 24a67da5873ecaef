import type { EntryStatus } from '@stoa/cms-model/entries.ts'
import type { CmsDb } from '../../context.ts'

export type Referrer = {
  id: string
  type: string
  slug: string
  title: string
  status: EntryStatus
  locale: string
  live: boolean
}

/** Other entries, outside of the trash, whose live or working copy refers to the entry; the latest change first. */
export const listReferrers = async (
  db: CmsDb,
  id: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ referrers: Referrer[]; total: number }> => {
  const from = `(select entry_id, bool_or(is_live) as live from entry_link
      where target_id = $1 and kind = 'entry' and entry_id <> $1 group by entry_id) as l
    join entry e on e.id = l.entry_id and e.deleted_at is null`
  const [counted] = await db.query<{ total: number }>({
    name: 'count-referrers',
    text: `select count(*) as total from ${from}`,
    values: [id],
  })
  const referrers = await db.query<Referrer>({
    name: 'list-referrers',
    text: `select e.id, e.type, coalesce(e.pending ->> 'slug', e.slug) as slug,
        coalesce(e.pending ->> 'title', e.title) as title, e.status, e.locale, l.live
      from ${from} order by e.updated_at desc, e.id limit $2 offset $3`,
    values: [id, limit, offset],
  })
  return { referrers, total: counted?.total ?? 0 }
}
