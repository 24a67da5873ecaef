import type { EntryUse } from '@stoa/cms-model/entries.ts'
import { type List, type Page, toList } from '@stoa/cms-model/lists.ts'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { menusTo } from '../menus/menus.ts'
import { findEntry } from './queries.ts'
import { listReferrers } from './queries-usage.ts'
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
