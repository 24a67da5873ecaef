import type { Db, Tx } from '@stoa/kit/db/database.ts'
import { isConflict } from '@stoa/kit/db/errors.ts'
import { newId } from '@stoa/kit/ids.ts'
import { type List, toList } from '@stoa/mail-model/list.ts'
import type { Sender, SenderInput, SenderListRequest } from '@stoa/mail-model/senders.ts'
import { type Selectable, sql } from 'kysely'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { type DomainView, loadDomain, lockDomain } from '../../hosting/domains/domains.ts'
import { contains, type Page, readPage } from '../../lists/lists.ts'
import { sessionOf } from '../../principal.ts'
import type { DomainSenderTable } from '../../tables/hosting.ts'
import type { Tables } from '../../tables.ts'

/** Somebody's own list, not a feed of addresses: all of those that allow are read with a message. */
const MAX_SENDERS = 1_000

/** The sender that a path names, if its domain is in the account that asks. */
export const loadSender = async (
  ctx: Ctx,
  { params }: { params: { domain_id: string; sender_id: string } },
): Promise<SenderRow> => {
  const { id } = await loadDomain(ctx, { params })
  return (await findSender(ctx.db, id, params.sender_id)) ?? fail('not_found')
}

export const getSenders = async (ctx: Ctx, domain: DomainView, list: SenderListRequest): Promise<List<Sender>> => {
  const { rows, total } = await listSenders(ctx.db, domain.id, list)
  return toList(list, total, rows.map(senderJson))
}

export const addSender = (ctx: Ctx, domain: DomainView, { pattern, action }: SenderInput): Promise<Sender> =>
  ctx.tx(async (tx) => {
    if (!(await lockDomain(tx, sessionOf(ctx).account.id, domain.id))) fail('not_found')
    if ((await countSenders(tx, domain.id)) >= MAX_SENDERS)
      fail('quota_exceeded', { message: `A domain can have up to ${MAX_SENDERS} senders on its list.` })
    const row = { domain_id: domain.id, id: newId(), pattern, action, created_at: ctx.now() }
    return senderJson(
      await insertSender(tx, row).catch((error: unknown) => {
        if (isConflict(error, 'domain_sender_pattern_key'))
          return fail('conflict', { message: 'This sender is already on the list.', cause: error })
        throw error
      }),
    )
  })

export const removeSender = async (ctx: Ctx, { domain_id, id }: SenderRow) => {
  if (!(await ctx.tx((tx) => deleteSender(tx, domain_id, id)))) fail('not_found')
  return { object: 'sender', id, deleted: true } as const
}

const senderJson = (row: SenderRow): Sender => ({
  object: 'sender',
  id: row.id,
  domain_id: row.domain_id,
  pattern: row.pattern,
  action: row.action,
  created_at: row.created_at.toISOString(),
})

type SenderRow = Selectable<DomainSenderTable>

const listSenders = (db: Db<Tables>, domainId: string, list: SenderListRequest): Promise<Page<SenderRow>> => {
  const all = db.selectFrom('domain_sender').selectAll().where('domain_id', '=', domainId)
  return readPage(list.search ? all.where(contains(sql`pattern`, list.search)) : all, list, {
    columns: { created_at: 'created_at', pattern: 'pattern' },
    id: 'id',
  })
}

const findSender = (db: Db<Tables>, domainId: string, id: string): Promise<SenderRow | undefined> =>
  db.selectFrom('domain_sender').selectAll().where('domain_id', '=', domainId).where('id', '=', id).executeTakeFirst()

const countSenders = async (db: Db<Tables>, domainId: string): Promise<number> => {
  const row = await db
    .selectFrom('domain_sender')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('domain_id', '=', domainId)
    .executeTakeFirstOrThrow()
  return row.count
}

const insertSender = (tx: Tx<Tables>, row: SenderRow): Promise<SenderRow> =>
  tx.insertInto('domain_sender').values(row).returningAll().executeTakeFirstOrThrow()

const deleteSender = async (tx: Tx<Tables>, domainId: string, id: string): Promise<boolean> => {
  const row = await tx
    .deleteFrom('domain_sender')
    .where('domain_id', '=', domainId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Whether a domain blocks one of these: addresses, and domains as `@example.com`. */
export const isBlocked = async (db: Db<Tables>, domainId: string, patterns: readonly string[]): Promise<boolean> => {
  const rows = await db.query({
    name: 'find-blocked-sender',
    text: `select 1 from domain_sender where domain_id = $1 and action = 'block' and pattern = any ($2)`,
    values: [domainId, patterns],
  })
  return rows.length > 0
}
