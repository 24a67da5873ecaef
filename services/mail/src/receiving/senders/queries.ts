import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { SenderListRequest } from '@stoa/mail-model/senders.ts'
import { type Selectable, sql } from 'kysely'
import { contains, type Page, readPage } from '../../lists/lists.ts'
import type { DomainSenderTable } from '../../tables/hosting.ts'
import type { Tables } from '../../tables.ts'

export type SenderRow = Selectable<DomainSenderTable>

export const listSenders = (db: Db<Tables>, domainId: string, list: SenderListRequest): Promise<Page<SenderRow>> => {
  const all = db.selectFrom('domain_sender').selectAll().where('domain_id', '=', domainId)
  return readPage(list.search ? all.where(contains(sql`pattern`, list.search)) : all, list, {
    columns: { created_at: 'created_at', pattern: 'pattern' },
    id: 'id',
  })
}

export const findSender = (db: Db<Tables>, domainId: string, id: string): Promise<SenderRow | undefined> =>
  db.selectFrom('domain_sender').selectAll().where('domain_id', '=', domainId).where('id', '=', id).executeTakeFirst()

export const countSenders = async (db: Db<Tables>, domainId: string): Promise<number> => {
  const row = await db
    .selectFrom('domain_sender')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('domain_id', '=', domainId)
    .executeTakeFirstOrThrow()
  return row.count
}

export const insertSender = (tx: Tx<Tables>, row: SenderRow): Promise<SenderRow> =>
  tx.insertInto('domain_sender').values(row).returningAll().executeTakeFirstOrThrow()

export const deleteSender = async (tx: Tx<Tables>, domainId: string, id: string): Promise<boolean> => {
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
