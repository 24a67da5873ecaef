import type { MailboxSettings } from '@stoa/mail-model/mailbox-settings.ts'
import type { Generated, JSONColumnType } from 'kysely'

/** What webmail keeps of its own. */
export type WebmailTables = {
  webmail_session: WebmailSessionTable
  webmail_settings: WebmailSettingsTable
  contact: ContactTable
  label: LabelTable
  bulk_job: BulkJobTable
  bulk_batch: BulkBatchTable
}

export type WebmailSessionTable = {
  address_id: string
  id: string
  token_hash: Buffer
  password_stamp: string
  ip: string | null
  user_agent: string | null
  created_at: Date
  last_seen_at: Date
  expires_at: Date
}

export type WebmailSettingsTable = {
  address_id: string
  settings: JSONColumnType<Partial<MailboxSettings>, string, string>
  updated_at: Date
}

export type ContactTable = {
  address_id: string
  id: string
  email: string
  name: string | null
  uses: number
  last_used_at: Date | null
  created_at: Date
  note: string | null
  is_saved: Generated<boolean>
}

export type LabelTable = {
  address_id: string
  name: string
  display_name: string
  color: string | null
  updated_at: Date
}

export type BulkJobTable = {
  address_id: string
  id: string
  /** A MailAction, as it was when it was asked for. */
  action: JSONColumnType<object, string, string>
  status: 'running' | 'completed' | 'failed'
  total: number
  done: Generated<number>
  not_found: Generated<number>
  error: string | null
  attempts: Generated<number>
  next_at: Date
  created_at: Date
  finished_at: Date | null
}

export type BulkBatchTable = {
  address_id: string
  job_id: string
  ordinal: number
  message_ids: string[]
}
