import type { TransferSecurity, TransferStatus } from '@stoa/mail-model/transfers.ts'
import type { Generated } from 'kysely'

/** Mailboxes that are copied from other servers. */
export type TransfersTables = {
  transfer: TransferTable
  transfer_folder: TransferFolderTable
}

export type TransferTable = {
  id: string
  account_id: string
  address_id: string
  host: string
  port: number
  security: TransferSecurity
  username: string
  sealed_password: string | null
  folders: string[] | null
  exclude_folders: Generated<string[]>
  since: Date | null
  status: Generated<TransferStatus>
  folders_total: number | null
  folders_done: Generated<number>
  messages_total: number | null
  messages_copied: Generated<number>
  messages_skipped: Generated<number>
  messages_failed: Generated<number>
  bytes_copied: Generated<number>
  current_folder: string | null
  error: string | null
  attempts: Generated<number>
  first_modseq: number | null
  next_at: Date
  lease_token: string | null
  created_at: Date
  started_at: Date | null
  finished_at: Date | null
}

export type TransferFolderTable = {
  transfer_id: string
  ordinal: number
  path: string
  target_path: string
  role: string | null
  uid_validity: number | null
  last_uid: Generated<number>
  messages: Generated<number>
  is_rest: Generated<boolean>
  done: Generated<boolean>
}
