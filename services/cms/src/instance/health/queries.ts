import type { CmsDb } from '../../context.ts'
import { DEATHS } from '../../plugins/records/records.ts'
import type { PluginFacts, SocialFacts } from './work-checks.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** Workers take what is due within seconds, and busy ones within minutes. */
const OVERDUE_MS = 15 * MINUTE_MS
const FAILED_DAYS = 7

const before = (now: Date, ms: number): Date => new Date(now.getTime() - ms)

/** Posts of an account or network that pauses wait as they should. */
export const readSocialFacts = async (db: CmsDb, now: Date): Promise<SocialFacts> => {
  const [row] = await db.query<SocialFacts>({
    text: `select
        (select count(*) from social_target t
          join social_account a on a.id = t.account_id and a.status = 'active'
            and coalesce(a.paused_until <= $1, true)
          where t.next_attempt_at < $1 and not exists
            (select from social_app p where p.network = t.network and p.paused_until > $1)) as overdue,
        (select count(*) from social_account where status = 'needs_reconnect') as disconnected,
        (select count(*) from social_target t join social_post p on p.id = t.post_id and p.deleted_at is null
          where t.status = 'failed' and t.next_attempt_at is null and t.updated_at > $2) as failed`,
    values: [before(now, OVERDUE_MS), before(now, FAILED_DAYS * DAY_MS)],
  })
  if (!row) throw new Error('a count returned no row')
  return row
}

/** Of each plugin, the newest runs only: there may be thousands a day. */
export const readPluginFacts = async (db: CmsDb, now: Date): Promise<PluginFacts> => {
  const [row] = await db.query<PluginFacts>({
    text: `select
        coalesce(array_agg(p.name order by p.name) filter (where not p.enabled and cardinality(p.deaths) >= $1), '{}') as died,
        coalesce(array_agg(p.name order by p.name) filter (where p.enabled and last.outcome = 'failed'), '{}') as failing,
        coalesce(sum(waiting.count) filter (where p.enabled), 0)::int as overdue
      from plugin p
      left join lateral (
        select outcome from (select kind, outcome, at, id from plugin_run r where r.plugin = p.name order by id desc limit 100) newest
        where kind in ('event', 'schedule') and at > $2 order by id desc limit 1
      ) last on true
      left join lateral (
        select count(*) from plugin_event e where e.plugin = p.name and e.due_at < $3
      ) waiting on true`,
    values: [DEATHS.most, before(now, DAY_MS), before(now, OVERDUE_MS)],
  })
  if (!row) throw new Error('a count returned no row')
  return row
}
