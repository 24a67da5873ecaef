import type { Db } from '@stoa/kit/db/database.ts'
import type { EmailAttachment, EmailListRequest, EmailTag } from '@stoa/mail-model/emails.ts'
import { type SelectQueryBuilder, sql } from 'kysely'
import type { EmailTable } from '../../tables/emails.ts'
import type { Tables } from '../../tables.ts'

/** A mail as lists show it. */
export type EmailRow = Omit<EmailTable, 'headers' | 'tags' | 'attachments'> & { tags: EmailTag[] }

/** A mail with everything about it, from one statement. */
export type WholeEmailRow = EmailRow & {
  headers: Record<string, string>
  attachments: EmailAttachment[]
  html: string | null
  text: string | null
}

const COLUMNS = [
  'email.account_id',
  'email.id',
  'email.api_key_id',
  'email.domain_id',
  'email.message_id',
  'email.sender',
  'email.to_list',
  'email.cc_list',
  'email.bcc_list',
  'email.reply_to_list',
  'email.subject',
  'email.tags',
  'email.topic_id',
  'email.status',
  'email.last_event',
  'email.scheduled_at',
  'email.sent_at',
  'email.created_at',
] as const

export const findEmail = (db: Db<Tables>, accountId: string, id: string): Promise<WholeEmailRow | undefined> =>
  db
    .selectFrom('email')
    .leftJoin('email_body', (join) =>
      join.onRef('email_body.account_id', '=', 'email.account_id').onRef('email_body.email_id', '=', 'email.id'),
    )
    .select([...COLUMNS, 'email.headers', 'email.attachments', 'email_body.html', 'email_body.text'])
    .where('email.account_id', '=', accountId)
    .where('email.id', '=', id)
    .executeTakeFirst()

export const listEvents = (
  db: Db<Tables>,
  { accountId, id, limit }: { accountId: string; id: string; limit: number },
) =>
  db
    .selectFrom('email_event')
    .select(['type', 'recipient', 'detail', 'created_at'])
    .where('account_id', '=', accountId)
    .where('email_id', '=', id)
    .orderBy('id')
    .limit(limit)
    .execute()

export type EmailPage = { rows: EmailRow[]; hasMore: boolean; total: number; newer: number }

/**
 * A page of an account's mails, newest first, behind or before a cursor. Undefined when the cursor is not among the
 * account's mails.
 */
export const listEmails = async (
  db: Db<Tables>,
  accountId: string,
  list: EmailListRequest,
): Promise<EmailPage | undefined> => {
  const cursor = list.after ?? list.before
  if (cursor !== undefined && !(await isEmail(db, accountId, cursor))) return undefined
  const wanted = filtered(db.selectFrom('email').where('email.account_id', '=', accountId), list)
  const [found, total] = await Promise.all([
    pageOf(wanted, list),
    isFiltered(list) ? countOf(wanted) : findTotal(db, accountId),
  ])
  const rows = found.slice(0, list.limit)
  if (list.before !== undefined) rows.reverse()
  const first = rows[0]?.id
  const newer = cursor === undefined || first === undefined ? 0 : await countOf(wanted.where('email.id', '>', first))
  return { rows, hasMore: found.length > list.limit, total, newer }
}

/** One more than asked, in the order in which they lie behind the cursor. */
const pageOf = (wanted: Wanted, { after, before, limit }: EmailListRequest): Promise<EmailRow[]> => {
  const query = wanted.select(COLUMNS).limit(limit + 1)
  if (before !== undefined) return query.where('email.id', '>', before).orderBy('email.id', 'asc').execute()
  const older = after === undefined ? query : query.where('email.id', '<', after)
  return older.orderBy('email.id', 'desc').execute()
}

type Wanted = SelectQueryBuilder<Tables, 'email', object>

const filtered = (query: Wanted, { status, search, domain_id: domainId, tag }: EmailListRequest): Wanted => {
  let wanted = query
  if (status !== undefined) wanted = wanted.where('email.status', '=', status)
  if (domainId !== undefined) wanted = wanted.where('email.domain_id', '=', domainId)
  if (tag !== undefined)
    wanted = wanted.where(sql<boolean>`email.tags <> '[]' and email.tags @> ${tagFilter(tag)}::jsonb`)
  if (search) wanted = wanted.where(sql<boolean>`strpos(lower(${SEARCHED}), lower(${search})) > 0`)
  return wanted
}

const SEARCHED = sql`concat_ws(' ', email.subject, email.sender, array_to_string(email.to_list, ' '),
  array_to_string(email.cc_list, ' '), array_to_string(email.bcc_list, ' '))`

const tagFilter = (tag: string): string => {
  const [name, value] = tag.split(':')
  return JSON.stringify([{ name, ...(value === undefined ? {} : { value }) }])
}

const isFiltered = ({ status, search, domain_id: domainId, tag }: EmailListRequest): boolean =>
  status !== undefined || domainId !== undefined || tag !== undefined || Boolean(search)

const countOf = async (wanted: Wanted): Promise<number> => {
  const row = await wanted.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirst()
  return row?.count ?? 0
}

const findTotal = async (db: Db<Tables>, accountId: string): Promise<number> => {
  const row = await db.selectFrom('email_count').select('total').where('account_id', '=', accountId).executeTakeFirst()
  return row?.total ?? 0
}

const isEmail = async (db: Db<Tables>, accountId: string, id: string): Promise<boolean> =>
  (await db
    .selectFrom('email')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()) !== undefined
