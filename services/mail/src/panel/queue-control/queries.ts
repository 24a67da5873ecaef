import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { QueueHoldListRequest, QueueListRequest, QueueState } from '@stoa/mail-model/queue.ts'
import { type Selectable, sql } from 'kysely'
import { contains, type Page, readPage } from '../../pagination/pagination.ts'
import { UNFINISHED } from '../../sending/queue/queue.ts'
import type { QueueHoldTable } from '../../tables/sending.ts'
import type { Tables } from '../../tables.ts'

export type QueueItemRow = {
  id: string
  account_id: string | null
  sender: string | null
  recipient: string
  domain: string
  state: QueueState
  attempts: number
  last_reply: string | null
  next_attempt_at: Date | null
  expires_at: Date
  created_at: Date
}

/**
 * What waits, as it is shown. Holds and leases count as they are now. The sender that people see comes first: a return path
 * of the API is a secret of its recipient.
 */
const items = (now: Date) => sql<QueueItemRow>`(
  select r.id, m.account_id, coalesce(m.header_from, nullif(r.return_path, '')) as sender, r.recipient, r.domain,
    case when r.state = 'sending' and r.lease_until > ${now} then 'sending'
      when h.id is not null then 'held'
      when r.state = 'sending' then 'deferred' else r.state end as state,
    r.attempts, r.last_reply,
    case when h.id is null and not (r.state = 'sending' and r.lease_until > ${now})
      then greatest(r.next_at, d.retry_at) end as next_attempt_at,
    m.expires_at, m.created_at
  from queue_recipient r
  join queue_message m on m.id = r.message_id
  left join queue_destination d on d.domain = r.domain
  left join queue_hold h on h.domain = r.domain
  where r.state in ${sql.raw(UNFINISHED)})`

export const listQueueItems = (db: Db<Tables>, list: QueueListRequest, now: Date): Promise<Page<QueueItemRow>> => {
  const { domain, state, account_id: accountId, search } = list
  const found = db
    .selectFrom(items(now).as('item'))
    .selectAll()
    .$if(domain !== undefined && domain !== '', (query) => query.where('domain', '=', domain ?? ''))
    .$if(state !== undefined, (query) => query.where('state', '=', state ?? 'queued'))
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId ?? null))
    .$if(Boolean(search), (query) => query.where(contains(sql`concat_ws(' ', recipient, sender)`, search ?? '')))
  return readPage(found, list, {
    columns: { created_at: 'created_at', next_attempt_at: 'next_attempt_at', domain: 'domain', attempts: 'attempts' },
    id: 'id',
  })
}

export const findQueueItem = (db: Db<Tables>, id: string, now: Date): Promise<QueueItemRow | undefined> =>
  db.selectFrom(items(now).as('item')).selectAll().where('id', '=', id).executeTakeFirst()

/**
 * Puts a recipient in front of all others of its destination, which is asked again at once; what was scheduled stays so.
 * False when somebody works on it, or it is finished.
 */
export const makeDue = async (tx: Tx<Tables>, id: string, now: Date): Promise<boolean> => {
  const rows = await tx.query({
    text: `with given as (
             select r.message_id, r.ordinal, r.domain from queue_recipient r
             where r.id = $2 and r.state in ${UNFINISHED} and not (r.state = 'sending' and r.lease_until > $1)
             for update
           ), asked as (
             update queue_destination d set retry_at = $1 from given where d.domain = given.domain and d.retry_at > $1
           )
           update queue_recipient r
           set next_at = case when m.not_before > $1 then m.not_before else least($1, (
             select min(o.next_at) from queue_recipient o where o.domain = given.domain and o.state in ${UNFINISHED}
           ) - interval '1 millisecond') end
           from given join queue_message m on m.id = given.message_id
           where r.message_id = given.message_id and r.ordinal = given.ordinal
           returning 1`,
    values: [now, id],
  })
  return rows.length > 0
}

export type QueueHoldRow = Selectable<QueueHoldTable>

export const listQueueHolds = (db: Db<Tables>, list: QueueHoldListRequest): Promise<Page<QueueHoldRow>> => {
  const { search } = list
  const found = db
    .selectFrom('queue_hold')
    .selectAll()
    .$if(Boolean(search), (query) => query.where(contains(sql`concat_ws(' ', domain, reason)`, search ?? '')))
  return readPage(found, list, { columns: { created_at: 'created_at', domain: 'domain' }, id: 'id' })
}

export const findQueueHold = (db: Db<Tables>, id: string): Promise<QueueHoldRow | undefined> =>
  db.selectFrom('queue_hold').selectAll().where('id', '=', id).executeTakeFirst()

/** Undefined when there is one already. */
export const insertQueueHold = (tx: Tx<Tables>, row: QueueHoldRow): Promise<QueueHoldRow | undefined> =>
  tx
    .insertInto('queue_hold')
    .values(row)
    .onConflict((conflict) => conflict.column('domain').doNothing())
    .returningAll()
    .executeTakeFirst()

export const deleteQueueHold = (tx: Tx<Tables>, id: string): Promise<QueueHoldRow | undefined> =>
  tx.deleteFrom('queue_hold').where('id', '=', id).returningAll().executeTakeFirst()
