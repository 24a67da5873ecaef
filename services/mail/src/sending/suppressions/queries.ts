import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { SuppressionListRequest } from '@stoa/mail-model/suppressions.ts'
import { type Selectable, sql } from 'kysely'
import { contains, type Page, readPage } from '../../pagination/pagination.ts'
import type { SuppressionTable } from '../../tables/sending.ts'
import type { Tables } from '../../tables.ts'

export type SuppressionRow = Selectable<SuppressionTable>

const COLUMNS = ['account_id', 'id', 'email', 'origin', 'reason', 'source_id', 'expires_at', 'created_at'] as const

export const listSuppressionRows = (
  db: Db<Tables>,
  accountId: string,
  list: SuppressionListRequest,
  now: Date,
): Promise<Page<SuppressionRow>> => {
  const { origin, search } = list
  const text = sql`concat_ws(' ', email, reason)`
  const found = live(db, accountId, now)
    .$if(origin !== undefined, (query) => query.where('origin', '=', origin ?? 'manual'))
    .$if(Boolean(search), (query) => query.where(contains(text, search ?? '')))
  return readPage(found, list, {
    columns: { created_at: 'created_at', email: 'email', origin: 'origin' },
    id: 'id',
  })
}

export const findSuppression = (
  db: Db<Tables>,
  { accountId, id, now }: { accountId: string; id: string; now: Date },
): Promise<SuppressionRow | undefined> => live(db, accountId, now).where('id', '=', id).executeTakeFirst()

/** The suppressed ones of these addresses, with the data of their events. */
export const findSuppressed = (
  db: Db<Tables>,
  { accountId, emails, now }: { accountId: string; emails: readonly string[]; now: Date },
): Promise<Pick<SuppressionRow, 'email' | 'origin' | 'reason'>[]> =>
  db.query<Pick<SuppressionRow, 'email' | 'origin' | 'reason'>>({
    name: 'find-suppressed',
    text: `select email, origin, reason from suppression
           where account_id = $1 and email = any($2) and (expires_at is null or expires_at > $3)`,
    values: [accountId, emails, now],
  })

/** Counts no further than it matters. */
export const countSuppressionRows = async (db: Db<Tables>, accountId: string, upTo: number): Promise<number> => {
  const [row] = await db.query<{ count: number }>({
    name: 'count-suppressions',
    text: 'select count(*) as count from (select from suppression where account_id = $1 limit $2) s',
    values: [accountId, upTo],
  })
  return row?.count ?? 0
}

/**
 * Adds those that are new, or whose time has passed, and gives them; prolongs bounces, and puts complaints above what
 * ends. A bounce ends when its account says so. In one order: two that share some do not wait for each other.
 */
export const insertSuppressions = async (
  tx: Tx<Tables>,
  rows: readonly SuppressionRow[],
): Promise<SuppressionRow[]> => {
  const written = await tx.query<SuppressionRow>({
    name: 'insert-suppressions',
    text: `insert into suppression as old (${COLUMNS.join(', ')})
           select g.account_id, g.id, g.email, g.origin, g.reason, g.source_id,
             case when g.origin = 'bounce' then g.created_at + a.bounce_suppression_days * interval '24 hours'
               else g.expires_at end, g.created_at
           from jsonb_to_recordset($1::jsonb) as g (
             account_id uuid, id uuid, email text, origin text, reason text, source_id uuid, expires_at timestamptz,
             created_at timestamptz)
           join account a on a.id = g.account_id
           order by g.account_id, g.email
           on conflict (account_id, email) do update
           set id = case when old.expires_at <= excluded.created_at then excluded.id else old.id end,
             created_at = case when old.expires_at <= excluded.created_at then excluded.created_at else old.created_at end,
             origin = excluded.origin, reason = excluded.reason, source_id = excluded.source_id,
             expires_at = excluded.expires_at
           where old.expires_at <= excluded.created_at
             or (old.origin = 'bounce' and excluded.origin = 'bounce' and old.expires_at is not null
               and (excluded.expires_at is null or excluded.expires_at > old.expires_at))
             or (old.origin <> 'complaint' and excluded.origin = 'complaint'
               and (old.origin = 'bounce' or old.expires_at is not null))
           returning ${COLUMNS.join(', ')}`,
    values: [JSON.stringify(rows)],
  })
  // Rows that existed before kept their id.
  const added = new Set(rows.map(({ id }) => id))
  return written.filter(({ id }) => added.has(id))
}

export type SuppressionChange = Partial<Pick<SuppressionRow, 'reason' | 'expires_at'>>

export const updateSuppressionRow = (
  tx: Tx<Tables>,
  { accountId, id, change }: { accountId: string; id: string; change: SuppressionChange },
): Promise<SuppressionRow | undefined> =>
  tx
    .updateTable('suppression')
    // Something must be set, also when nothing changes.
    .set({ id, ...change })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirst()

/** With the temporary failures that were counted for it: it starts anew. */
export const deleteSuppressionRow = async (
  tx: Tx<Tables>,
  { accountId, id }: { accountId: string; id: string },
): Promise<SuppressionRow | undefined> => {
  const [row] = await tx.query<SuppressionRow>({
    name: 'delete-suppression',
    text: `with gone as (
             delete from suppression where account_id = $1 and id = $2 returning ${COLUMNS.join(', ')}
           ), counted as (
             delete from soft_bounce b using gone where b.account_id = gone.account_id and b.email = gone.email
           )
           select ${COLUMNS.join(', ')} from gone`,
    values: [accountId, id],
  })
  return row
}

/** Accounts with suppressions whose time has passed, in the order of their ids. */
export const listExpiredAccounts = async (
  db: Db<Tables>,
  { now, after, limit }: { now: Date; after: string | null; limit: number },
): Promise<string[]> => {
  const rows = await db.query<{ id: string }>({
    text: `select distinct account_id as id from suppression
           where expires_at <= $1 and ($2::uuid is null or account_id > $2) order by id limit $3`,
    values: [now, after, limit],
  })
  return rows.map(({ id }) => id)
}

/** Deletes expired suppressions of an account. */
export const deleteExpiredRows = (
  tx: Tx<Tables>,
  { accountId, now, limit }: { accountId: string; now: Date; limit: number },
): Promise<SuppressionRow[]> =>
  tx.query<SuppressionRow>({
    name: 'delete-expired-suppressions',
    text: `delete from suppression where account_id = $3 and id = any (array(
             select id from suppression where account_id = $3 and expires_at <= $1
             order by expires_at limit $2 for update skip locked))
           returning ${COLUMNS.join(', ')}`,
    values: [now, limit, accountId],
  })

const live = (db: Db<Tables>, accountId: string, now: Date) =>
  db
    .selectFrom('suppression')
    .select(COLUMNS)
    .where('account_id', '=', accountId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
