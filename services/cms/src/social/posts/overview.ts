import { type PostStatus, postStatuses, type SocialCalendar } from '@stoa/cms-model/social.ts'
import { addDays, startOfDay } from '@stoa/cms-model/time-zones.ts'
import { readSettings } from '../../content/settings/settings.ts'
import type { Ctx } from '../../context.ts'
import { type Attention, attentionOf } from '../accounts/accounts.ts'
import { type WholePost, wholePosts } from './posts.ts'
import { countPosts, listCalendar, listLast, listNext } from './queries-overview.ts'

/** What goes out, went out or was to go out on these days of the site's time zone. */
export const readCalendar = async (ctx: Ctx, from: string, days: number): Promise<SocialCalendar> => {
  const { timezone } = await readSettings(ctx.db)
  const rows = await listCalendar(ctx.db, startOfDay(from, timezone), startOfDay(addDays(from, days), timezone))
  const items = rows.map(({ at, networks, accountIds, ...item }) => ({
    ...item,
    at: at.toISOString(),
    networks: [...new Set(networks.split(' '))].sort(),
    accountIds: accountIds.split(' ').sort(),
  }))
  return { items }
}

const SHOWN = 5

export type Overview = {
  counts: Record<PostStatus, number>
  next: WholePost[]
  last: WholePost[]
  attention: Attention[]
}

export const readOverview = async (ctx: Ctx): Promise<Overview> => {
  const counted = new Map((await countPosts(ctx.db)).map(({ status, count }) => [status, count]))
  const counts = Object.fromEntries(postStatuses.map((status) => [status, counted.get(status) ?? 0]))
  return {
    counts: counts as Record<PostStatus, number>,
    next: await wholePosts(ctx.db, await listNext(ctx.db, SHOWN)),
    last: await wholePosts(ctx.db, await listLast(ctx.db, SHOWN)),
    attention: await attentionOf(ctx),
  }
}
