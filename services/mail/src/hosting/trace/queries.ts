import type { Db, Tx } from '@stoa/kit/db/database.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { ActivityType } from '@stoa/mail-model/activity.ts'
import { NO_SUCH_MAILBOX, type TraceListRequest } from '@stoa/mail-model/trace.ts'
import type { Page } from '../../pagination/pagination.ts'
import type { Tables } from '../../tables.ts'

export type TraceRow = {
  id: string
  address_id: string | null
  domain_id: string
  type: ActivityType
  direction: 'in' | 'out' | null
  sender: string | null
  recipient: string | null
  subject: string | null
  message_id: string | null
  size_bytes: number | null
  remote_ip: string | null
  result: string | null
  count: number
  created_at: Date
}

/**
 * Statement text: what became of mail of the account `$1` since a moment, activity of its mailboxes, recipients that
 * nobody is, and mail of programs. Each is found by an index, and conditions around them are handed down to all three.
 */
export const traceLines = (since: string): string => `(
  select activity.id, activity.address_id, address.domain_id, activity.type, activity.direction, activity.sender,
    activity.recipient, activity.subject, activity.message_id, activity.size_bytes, activity.remote_ip, activity.result,
    1 as count, activity.created_at
  from address join activity on activity.address_id = address.id
  where address.account_id = $1 and address.deleted_at is null and activity.created_at >= ${since}
  union all
  select refused.id, null, refused.domain_id, 'rejected', 'in', refused.sender, refused.recipient, null, null, null,
    refused.remote_ip, '${NO_SUCH_MAILBOX}', refused.count, refused.created_at
  from refused_recipient refused join domain on domain.id = refused.domain_id
  where refused.account_id = $1 and domain.deleted_at is null and refused.created_at >= ${since}
  union all
  select event.id, null, email.domain_id,
    case event.type when 'delivered' then 'sent' when 'delivery_delayed' then 'deferred' else 'bounced' end, 'out',
    email.sender, event.recipient, email.subject, email.message_id, null, null, event.detail, 1, event.created_at
  from email_event event join email on email.account_id = event.account_id and email.id = event.email_id
  join domain on domain.id = email.domain_id
  where event.account_id = $1 and domain.deleted_at is null and event.created_at >= ${since}
    and event.type in ('delivered', 'delivery_delayed', 'bounced', 'failed')
)`

export const listTrace = async (
  db: Db<Tables>,
  { accountId, kept }: { accountId: string; kept: Date },
  list: TraceListRequest,
): Promise<Page<TraceRow>> => {
  const since = list.since && list.since > kept ? list.since : kept
  const { domain_id: domainId, address_id: addressId, type, direction, before, search } = list
  const filters = [domainId, addressId, type, direction, before, search || undefined].map((value) => value ?? null)
  const values = [accountId, since, ...filters]
  // Without names: the plan of one search is not that of another.
  const [counted] = await db.query<{ total: number }>({ text: `select count(*) as total from ${FOUND}`, values })
  const total = counted?.total ?? 0
  const offset = (list.page - 1) * list.per_page
  if (offset >= total) return { rows: [], total }
  const order = list.order === 'asc' ? 'asc' : 'desc'
  const rows = await db.query<TraceRow>({
    text: `select * from ${FOUND} order by created_at ${order}, id ${order} limit $9 offset $10`,
    values: [...values, list.per_page, offset],
  })
  return { rows, total }
}

const FOUND = `${traceLines('$2')} line
  where ($3::uuid is null or domain_id = $3) and ($4::uuid is null or address_id = $4)
    and ($5::text is null or type = $5) and ($6::text is null or direction = $6)
    and ($7::timestamptz is null or created_at < $7)
    and ($8::text is null
      or strpos(lower(concat_ws(' ', sender, recipient, subject, message_id)), lower($8)) > 0)`

/** Recipients of one domain in one minute that nobody is. */
export type RefusedMinute = { accountId: string; domainId: string; from: Date; until: Date }
export type RefusedLine = { sender: string | null; recipient: string | null; remoteIp: string | null; count: number }

/** Processes that count for the same domain take turns, so that together they do not write more lines than one. */
export const lockRefused = async (tx: Tx<Tables>, domainId: string): Promise<void> => {
  await tx.query({ text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))', values: [`refused ${domainId}`] })
}

/** Adds to lines that are there; gives the places in the list of those that are not. */
export const addToRefused = async (
  tx: Tx<Tables>,
  { accountId, domainId, from, until }: RefusedMinute,
  lines: readonly RefusedLine[],
): Promise<ReadonlySet<number>> => {
  const rows = await tx.query<{ nth: number }>({
    name: 'trace-add-refused',
    text: `update refused_recipient line set count = line.count + given.count
           from jsonb_to_recordset($5::jsonb) as given (nth integer, sender text, recipient text, "remoteIp" inet,
             count integer)
           where line.account_id = $1 and line.domain_id = $2 and line.created_at >= $3 and line.created_at < $4
             and line.sender is not distinct from given.sender
             and line.recipient is not distinct from given.recipient
             and line.remote_ip is not distinct from given."remoteIp"
           returning given.nth`,
    values: [accountId, domainId, from, until, JSON.stringify(lines.map((line, nth) => ({ ...line, nth })))],
  })
  return new Set(rows.map(({ nth }) => nth))
}

export const countRefused = async (
  tx: Tx<Tables>,
  { accountId, domainId, from, until }: RefusedMinute,
): Promise<number> => {
  const [row] = await tx.query<{ count: number }>({
    name: 'trace-count-refused',
    text: `select count(*) as count from refused_recipient
           where account_id = $1 and domain_id = $2 and created_at >= $3 and created_at < $4 and recipient is not null`,
    values: [accountId, domainId, from, until],
  })
  return row?.count ?? 0
}

/** Writes nothing for a domain that was deleted meanwhile. */
export const insertRefused = async (
  tx: Tx<Tables>,
  { accountId, domainId, at }: { accountId: string; domainId: string; at: Date },
  lines: readonly RefusedLine[],
): Promise<void> => {
  await tx.query({
    name: 'trace-insert-refused',
    text: `insert into refused_recipient (account_id, id, domain_id, sender, recipient, remote_ip, count, created_at)
           select $1, given.id, domain.id, given.sender, given.recipient, given."remoteIp", given.count, $3
           from domain, jsonb_to_recordset($4::jsonb) as given (id uuid, sender text, recipient text, "remoteIp" inet,
             count integer)
           where domain.id = $2 and domain.account_id = $1 and domain.deleted_at is null`,
    values: [accountId, domainId, at, JSON.stringify(lines.map((line) => ({ ...line, id: newId() })))],
  })
}

/** Removes old lines, a bounded number at a time; gives how many. */
export const deleteOldRefused = async (tx: Tx<Tables>, until: Date, limit: number): Promise<number> => {
  const rows = await tx.query({
    text: `delete from refused_recipient where ctid = any (array(
             select ctid from refused_recipient where created_at <= $1 limit $2 for update skip locked)) returning 1`,
    values: [until, limit],
  })
  return rows.length
}
