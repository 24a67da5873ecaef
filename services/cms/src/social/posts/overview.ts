import { CALENDAR_CAPTION_LENGTH, type PostStatus, postStatuses, type SocialCalendar } from '@stoa/cms-model/social.ts'
import { addDays, startOfDay } from '@stoa/cms-model/time-zones.ts'
import { readSettings } from '../../content/settings/settings.ts'
import type { CmsDb, Ctx } from '../../context.ts'
import { type Attention, attentionOf } from '../accounts/accounts.ts'
import { type WholePost, wholePosts } from './posts.ts'
import { POST, type StoredPost } from './queries.ts'

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

type CalendarRow = {
  postId: string
  at: Date
  status: PostStatus
  caption: string
  /** With spaces between them. */
  networks: string
  accountIds: string
  authorId: string | null
}

/**
 * A target is at the time for which it was meant; one that went out without any, at the time when it did. Grouped before
 * posts are joined, so that their texts are not sorted along; names come as text, which is read quicker than arrays.
 */
const listCalendar = (db: CmsDb, from: Date, to: Date): Promise<CalendarRow[]> =>
  db.query({
    name: 'list-social-calendar',
    text: `with shown as (
        select post_id, account_id, network, due_at as at from social_target where due_at >= $1 and due_at < $2
        union all
        select post_id, account_id, network, posted_at from social_target
        where posted_at >= $1 and posted_at < $2 and (due_at is null or due_at < $1 or due_at >= $2)
      ),
      grouped as (
        select post_id, at, string_agg(network, ' ') as networks, string_agg(account_id, ' ') as accounts from shown
        group by post_id, at
      )
      select p.id as "postId", g.at, p.status, left(p.caption, $3) as caption, g.networks, g.accounts as "accountIds",
        p.author_id as "authorId"
      from grouped g join social_post p on p.id = g.post_id and p.deleted_at is null order by g.at, p.id`,
    values: [from, to, CALENDAR_CAPTION_LENGTH],
  })

const countPosts = (db: CmsDb): Promise<{ status: PostStatus; count: number }[]> =>
  db.query({
    name: 'count-social-posts',
    text: 'select status, count(*) as count from social_post where deleted_at is null group by status',
  })

const listNext = (db: CmsDb, limit: number): Promise<StoredPost[]> =>
  db.query({
    name: 'list-next-social-posts',
    text: `select ${POST} from social_post p
      join (select post_id, min(next_attempt_at) as due from social_target
        where status = 'scheduled' and next_attempt_at is not null group by post_id) t on t.post_id = p.id
      where p.deleted_at is null order by t.due, p.id limit $1`,
    values: [limit],
  })

const listLast = (db: CmsDb, limit: number): Promise<StoredPost[]> =>
  db.query({
    name: 'list-last-social-posts',
    text: `with recursive latest as (
        (select post_id, posted_at, id, array[post_id] as seen from social_target t
          where posted_at is not null
            and exists (select from social_post p where p.id = t.post_id and p.deleted_at is null)
          order by posted_at desc limit 1)
        union all
        select next.post_id, next.posted_at, next.id, l.seen || next.post_id from latest l cross join lateral (
          select post_id, posted_at, id from social_target t
          where posted_at <= l.posted_at and post_id <> all(l.seen)
            and exists (select from social_post p where p.id = t.post_id and p.deleted_at is null)
          order by posted_at desc limit 1) next
        where cardinality(l.seen) < $1
      )
      select ${POST} from latest l join social_post p on p.id = l.post_id order by l.posted_at desc, p.id`,
    values: [limit],
  })
