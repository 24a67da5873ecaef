import { inBatches } from '@stoa/kit/db/batches.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { ExportInput, ExportListRequest, MailExport } from '@stoa/mail-model/exports.ts'
import { type List, toList } from '@stoa/mail-model/list.ts'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { sessionOf } from '../../principal.ts'
import type { Tables } from '../../tables.ts'
import { proveOwnPassword } from '../accounts/accounts.ts'
import {
  deleteExpiredExports,
  deleteExport,
  type ExportRow,
  findExport,
  insertExport,
  listExportedAddresses,
  listExports,
} from './queries.ts'

export const EXPORT_TOPIC = 'export'

export const loadExport = async (ctx: Ctx, { params }: { params: { export_id: string } }): Promise<ExportRow> => {
  const row = await findExport(ctx.db, sessionOf(ctx).account.id, params.export_id)
  return row && !isExpired(row, ctx.now()) ? row : fail('not_found')
}

export const getExports = async (ctx: Ctx, list: ExportListRequest): Promise<List<MailExport>> => {
  const { rows, total } = await listExports(ctx.db, sessionOf(ctx).account.id, list)
  return toList(list, total, rows.map(exportJson))
}

/** Requests an export of the account's mail; a worker makes the file. */
export const addExport = async (ctx: Ctx, { format, address_ids, password }: ExportInput): Promise<MailExport> => {
  const accountId = sessionOf(ctx).account.id
  await proveOwnPassword(ctx, password)
  const addressIds = address_ids ? [...new Set(address_ids.map((id) => id.toLowerCase()))] : null
  if (addressIds) {
    const known = await listExportedAddresses(ctx.db, { accountId, addressIds })
    if (known.length < addressIds.length) fail('not_found', { message: 'Address not found.' })
  }
  const now = ctx.now()
  const row = await ctx.tx(async (tx) => {
    const input = { id: newId(), account_id: accountId, address_ids: addressIds, format, next_at: now, created_at: now }
    const added = await insertExport(tx, input)
    if (!added) return fail('conflict', { message: 'Another export is in progress. Wait for it, or delete it.' })
    tx.changes.push({ topic: EXPORT_TOPIC, event: 'queued', data: { accountId, exportId: added.id } })
    return added
  })
  ctx.log.info({ accountId, exportId: row.id }, 'export of mail requested')
  return exportJson(row)
}

/** Deletes an export and its file; one that is being made stops. */
export const removeExport = async (ctx: Ctx, { id, account_id: accountId }: ExportRow) => {
  await ctx.tx(async (tx) => {
    if (!(await deleteExport(tx, accountId, id))) fail('not_found')
    tx.changes.push({ topic: EXPORT_TOPIC, event: 'deleted', data: { accountId, exportId: id } })
  })
  return { object: 'export', id, deleted: true } as const
}

const ROWS_AT_ONCE = 100

/** Forgets exports whose time is over; their bytes go with the next sweep. */
export const forgetExports = async (database: Database<Tables>, now: Date): Promise<void> => {
  await inBatches(database, ROWS_AT_ONCE, (tx, limit) => deleteExpiredExports(tx, now, limit))
}

const isExpired = ({ expires_at: at }: ExportRow, now: Date): boolean => at !== null && at <= now

export const sizeOf = ({ pieces }: Pick<ExportRow, 'pieces'>): number => pieces.reduce((sum, { size }) => sum + size, 0)

export const exportJson = (row: ExportRow): MailExport => ({
  object: 'export',
  id: row.id,
  status: row.status,
  format: row.format,
  address_ids: row.address_ids,
  messages_total: row.messages_total,
  messages_done: row.messages_done,
  size_bytes: row.status === 'completed' ? sizeOf(row) : null,
  expires_at: row.expires_at?.toISOString() ?? null,
  error: row.error,
  created_at: row.created_at.toISOString(),
})
