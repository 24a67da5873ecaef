import type { EntryStatus, EntryUse } from '@stoa/cms-model/entries.ts'
import { type List, type Page, toList } from '@stoa/cms-model/lists.ts'
import type { CmsDb, Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { menusTo } from '../menus/menus.ts'
import { findEntry } from './queries.ts'
import { requireWrite } from './rights.ts'

/** Where an entry is used: menus first, then entries. */
export const listUses = async (ctx: Ctx, id: string, page: Page): Promise<List<EntryUse>> => {
  const entry = (await findEntry(ctx.db, id)) ?? fail('NOT_FOUND')
  if (entry.deletedAt !== null) requireWrite(ctx, entry)
  const menus = (await menusTo(ctx.db, entry.id)).map((menu): EntryUse => ({ kind: 'menu', ...menu }))
  const skipped = (page.page - 1) * page.limit
  const shown = menus.slice(skipped, skipped + page.limit)
  const { referrers, total } = await listReferrers(ctx.db, id, {
    limit: page.limit - shown.length,
    offset: Math.max(0, skipped - menus.length),
  })
  const entries = referrers.map((referrer): EntryUse => ({ kind: 'entry', ...referrer }))
  return toList([...shown, ...entries], menus.length + total, page)
}

type Referrer = {
  id: string
  type: string
  slug: string
  title: string
  status: EntryStatus
  locale: string
  live: boolean
}

/** Other entries, outside of the trash, whose live or working copy refers to the entry; the latest change first. */
const listReferrers = async (
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
