import type { Transfer } from '@stoa/mail-model/transfers.ts'
import type { TransferRow } from './panel-queries.ts'

/** A transfer as the API and its events show it. */
export const transferJson = (row: TransferRow): Transfer => ({
  object: 'transfer',
  id: row.id,
  address_id: row.address_id,
  address: row.email,
  host: row.host,
  port: row.port,
  security: row.security,
  username: row.username,
  status: row.status,
  folders_total: row.folders_total,
  folders_done: row.folders_done,
  messages_total: row.messages_total,
  messages_copied: row.messages_copied,
  messages_skipped: row.messages_skipped,
  messages_failed: row.messages_failed,
  bytes_copied: row.bytes_copied,
  current_folder: row.current_folder,
  error: row.error,
  created_at: row.created_at.toISOString(),
  started_at: row.started_at?.toISOString() ?? null,
  finished_at: row.finished_at?.toISOString() ?? null,
})
