import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { ExportListRequest } from '@stoa/mail-model/exports.ts'
import { type Insertable, type Selectable, sql } from 'kysely'
import { contains, type Page, readPage } from '../../pagination/pagination.ts'
import type { ExportPiece, MailExportTable } from '../../tables/exports.ts'
import type { Tables } from '../../tables.ts'

export type ExportRow = Selectable<MailExportTable>

export const listExports = (db: Db<Tables>, accountId: string, list: ExportListRequest): Promise<Page<ExportRow>> => {
  const { search } = list
  const found = db
    .selectFrom('mail_export')
    .selectAll()
    .where('account_id', '=', accountId)
    .$if(Boolean(search), (query) => query.where(contains(sql`concat_ws(' ', status, format)`, search ?? '')))
  return readPage(found, list, { columns: { created_at: 'created_at' }, id: 'id' })
}

export const findExport = (db: Db<Tables>, accountId: string, id: string): Promise<ExportRow | undefined> =>
  db.selectFrom('mail_export').selectAll().where('account_id', '=', accountId).where('id', '=', id).executeTakeFirst()

/** Undefined while another one of the account is under way. */
export const insertExport = (tx: Tx<Tables>, row: Insertable<MailExportTable>): Promise<ExportRow | undefined> =>
  tx
    .insertInto('mail_export')
    .values(row)
    .onConflict((conflict) => conflict.column('account_id').where('next_at', 'is not', null).doNothing())
    .returningAll()
    .executeTakeFirst()

/** With what keeps its file; the bytes go with the next sweep. False when there is no such export. */
export const deleteExport = async (tx: Tx<Tables>, accountId: string, id: string): Promise<boolean> => {
  const rows = await tx.query({
    text: `with gone as (delete from mail_export where account_id = $1 and id = $2 returning id), links as (
             delete from blob_link l using gone where l.owner_id = $1 and l.kind = 'export' and l.ref_id = gone.id
           )
           select 1 from gone`,
    values: [accountId, id],
  })
  return rows.length > 0
}

export const deleteExpiredExports = async (tx: Tx<Tables>, now: Date, limit: number): Promise<number> => {
  const rows = await tx.query({
    text: `with old as (
             select id, account_id from mail_export where expires_at <= $1 order by expires_at limit $2
             for update skip locked
           ), links as (
             delete from blob_link l using old
             where l.owner_id = old.account_id and l.kind = 'export' and l.ref_id = old.id
           )
           delete from mail_export e using old where e.id = old.id returning 1`,
    values: [now, limit],
  })
  return rows.length
}

export type ExportedAddress = { id: string; email: string; messages: number }

/** The requested addresses of the account that still exist, with the message counts of their folders. */
export const listExportedAddresses = (
  db: Db<Tables>,
  { accountId, addressIds }: { accountId: string; addressIds: readonly string[] | null },
): Promise<ExportedAddress[]> =>
  db.query<ExportedAddress>({
    text: `select a.id, a.email,
             (select count(*) from message_folder p where p.address_id = a.id) as messages
           from address a
           where a.account_id = $1 and a.deleted_at is null and ($2::uuid[] is null or a.id = any ($2))
           order by a.email`,
    values: [accountId, addressIds],
  })

type ClaimedExport = { id: string; fence: number }

/** False when it was deleted, or another process has it. */
export const updateProgress = async (
  tx: Tx<Tables>,
  { id, fence }: ClaimedExport,
  progress: { total: number; done: number; pieces: readonly ExportPiece[] },
): Promise<boolean> => {
  const rows = await tx.query({
    name: 'export-progress',
    text: `update mail_export set messages_total = $3, messages_done = $4, pieces = $5
           where id = $1 and claims = $2 and next_at is not null returning 1`,
    values: [id, fence, progress.total, progress.done, JSON.stringify(progress.pieces)],
  })
  return rows.length > 0
}

/** Deletes links that an earlier attempt left. */
export const deleteExportLinks = async (tx: Tx<Tables>, accountId: string, id: string): Promise<void> => {
  await tx
    .deleteFrom('blob_link')
    .where('owner_id', '=', accountId)
    .where('kind', '=', 'export')
    .where('ref_id', '=', id)
    .execute()
}
