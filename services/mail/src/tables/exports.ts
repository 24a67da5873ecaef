import type { ExportStatus, MailExport } from '@stoa/mail-model/exports.ts'
import type { Generated } from 'kysely'

/** Mail as zip files to take away. */
export type ExportsTables = {
  mail_export: MailExportTable
}

/** A piece of the file, as the blob store keeps it. */
export type ExportPiece = { key: string; size: number }

export type MailExportTable = {
  id: string
  account_id: string
  address_ids: string[] | null
  format: MailExport['format']
  status: Generated<ExportStatus>
  messages_total: number | null
  messages_done: Generated<number>
  pieces: Generated<ExportPiece[]>
  error: string | null
  next_at: Date | null
  claims: Generated<number>
  created_at: Date
  finished_at: Date | null
  expires_at: Date | null
}
