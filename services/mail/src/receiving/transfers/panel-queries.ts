import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { DestinationListRequest, TransferListRequest } from '@stoa/mail-model/transfers.ts'
import { type Insertable, type Selectable, sql } from 'kysely'
import { contains, type Page, readPage } from '../../pagination/pagination.ts'
import type { TransferTable } from '../../tables/transfers.ts'
import type { Tables } from '../../tables.ts'

const ACTIVE = ['queued', 'running'] as const

const COLUMNS = [
  'transfer.id',
  'transfer.account_id',
  'transfer.address_id',
  'transfer.host',
  'transfer.port',
  'transfer.security',
  'transfer.username',
  'transfer.status',
  'transfer.folders_total',
  'transfer.folders_done',
  'transfer.messages_total',
  'transfer.messages_copied',
  'transfer.messages_skipped',
  'transfer.messages_failed',
  'transfer.bytes_copied',
  'transfer.current_folder',
  'transfer.error',
  'transfer.created_at',
  'transfer.started_at',
  'transfer.finished_at',
] as const

/** A transfer as others may see it: without its password and what the workers keep. */
export type TransferRow = Omit<
  Selectable<TransferTable>,
  'sealed_password' | 'folders' | 'exclude_folders' | 'since' | 'attempts' | 'first_modseq' | 'next_at' | 'lease_token'
> & { email: string }

export const listTransferRows = (
  db: Db<Tables>,
  accountId: string,
  list: TransferListRequest,
): Promise<Page<TransferRow>> => {
  const all = transfers(db, accountId)
  const text = sql`concat_ws(' ', transfer.host, transfer.username, address.email, transfer.status)`
  return readPage(list.search ? all.where(contains(text, list.search)) : all, list, {
    columns: {
      created_at: 'transfer.created_at',
      status: 'transfer.status',
      finished_at: 'transfer.finished_at',
    },
    id: 'transfer.id',
  })
}

export const findTransfer = (db: Db<Tables>, accountId: string, id: string): Promise<TransferRow | undefined> =>
  transfers(db, accountId).where('transfer.id', '=', id).executeTakeFirst()

export const insertTransfer = async (tx: Tx<Tables>, row: Insertable<TransferTable>): Promise<void> => {
  await tx.insertInto('transfer').values(row).execute()
}

export const hasActiveTransfer = async (db: Db<Tables>, addressId: string): Promise<boolean> =>
  (await db
    .selectFrom('transfer')
    .select('id')
    .where('address_id', '=', addressId)
    .where('status', 'in', ACTIVE)
    .executeTakeFirst()) !== undefined

export const countActiveTransfers = async (db: Db<Tables>, accountId: string): Promise<number> => {
  const row = await db
    .selectFrom('transfer')
    .innerJoin('address', 'address.id', 'transfer.address_id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('transfer.account_id', '=', accountId)
    .where('transfer.status', 'in', ACTIVE)
    .where('address.deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Ends a transfer that has not ended, and forgets its password; false when it had ended already. */
export const cancelTransferRow = async (
  tx: Tx<Tables>,
  { accountId, id, now }: { accountId: string; id: string; now: Date },
): Promise<boolean> => {
  const rows = await tx
    .updateTable('transfer')
    .set({ status: 'cancelled', sealed_password: null, lease_token: null, current_folder: null, finished_at: now })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('status', 'in', ACTIVE)
    .returning('id')
    .execute()
  return rows.length > 0
}

export type DestinationRow = { id: string; email: string; quota_bytes: number | null; used_bytes: number }

/** Addresses that no transfer is under way to. */
export const listDestinationRows = (
  db: Db<Tables>,
  accountId: string,
  list: DestinationListRequest,
): Promise<Page<DestinationRow>> => {
  const all = db
    .selectFrom('address')
    .innerJoin('mailbox', 'mailbox.address_id', 'address.id')
    .select(['address.id', 'address.email', 'address.quota_bytes', 'mailbox.used_bytes'])
    .where('address.account_id', '=', accountId)
    .where('address.deleted_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('transfer')
            .select('transfer.id')
            .whereRef('transfer.address_id', '=', 'address.id')
            .where('transfer.status', 'in', ACTIVE),
        ),
      ),
    )
  const found = list.search ? all.where(contains(sql.ref('address.email'), list.search)) : all
  return readPage(found, list, { columns: { email: 'address.email' }, id: 'address.id' })
}

/** Transfers to deleted addresses are hidden. */
const transfers = (db: Db<Tables>, accountId: string) =>
  db
    .selectFrom('transfer')
    .innerJoin('address', 'address.id', 'transfer.address_id')
    .select([...COLUMNS, 'address.email'])
    .where('transfer.account_id', '=', accountId)
    .where('address.deleted_at', 'is', null)
