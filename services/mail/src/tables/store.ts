import type { Mailbox } from '@stoa/mail-model/email.ts'
import type { Generated } from 'kysely'

/** The mailboxes and what is in them. */
export type StoreTables = {
  mailbox: MailboxTable
  folder: FolderTable
  message: MessageTable
  message_folder: MessageFolderTable
  folder_thread: FolderThreadTable
  thread_link: ThreadLinkTable
  expunged: ExpungedTable
  change: ChangeTable
  message_search: MessageSearchTable
  message_unindexed: MessageUnindexedTable
  deleted_message: DeletedMessageTable
  blob_link: BlobLinkTable
}

export type MailboxTable = {
  address_id: string
  modseq: Generated<number>
  floor: Generated<number>
  used_bytes: Generated<number>
  message_count: Generated<number>
  next_uid_validity: number
  mark_modseq: Generated<number>
  marked_at: Date | null
}

export type FolderTable = {
  address_id: string
  id: string
  parent_id: string | null
  name: string
  role: 'inbox' | 'drafts' | 'sent' | 'archive' | 'junk' | 'trash' | 'snoozed' | 'important' | null
  position: Generated<number>
  subscribed: Generated<boolean>
  uid_validity: number
  uid_next: Generated<number>
  total: Generated<number>
  unread: Generated<number>
  threads: Generated<number>
  unread_threads: Generated<number>
  size_bytes: Generated<number>
  purge_days: number | null
  created_modseq: number
  modseq: number
  counts_modseq: number
}

export type MessageTable = {
  address_id: string
  id: string
  thread_id: string
  blob_key: string
  prefix: Generated<Buffer>
  size: number
  structure: Buffer
  /** See formats/mime/kept-fields.ts. */
  headers: Buffer | null
  /** See formats/mime/wire.ts. */
  wire_growth: Generated<number>
  keywords: Generated<string[]>
  received_at: Date
  /** Minutes east of UTC. */
  received_zone: Generated<number>
  sent_at: Date | null
  subject: string | null
  preview: string
  has_attachment: boolean
  envelope: MessageEnvelope
  from_sort: string
  to_sort: string
  subject_sort: string
  snoozed_until: Date | null
  snoozed_from: string[] | null
  created_modseq: number
  modseq: number
  /** False: added by the version before, and waiting as it was then. See migration 0064. */
  indexed: Generated<boolean>
}

export type MessageFolderTable = {
  address_id: string
  folder_id: string
  uid: number
  message_id: string
  modseq: number
  deleted: Generated<boolean>
  received_at: Date
  added_at: Date
}

export type FolderThreadTable = {
  address_id: string
  folder_id: string
  thread_id: string
  total: number
  unread: number
}

export type ThreadLinkTable = {
  address_id: string
  id_hash: Buffer
  subject_hash: Buffer
  message_id: string
  thread_id: string
}

export type ExpungedTable = {
  address_id: string
  folder_id: string
  modseq: number
  uid: number
}

export type ChangeTable = {
  address_id: string
  kind: 'folder' | 'folder_counts' | 'message' | 'thread' | 'submission' | 'identity' | 'vacation' | 'script' | 'quota'
  modseq: number
  object_id: string
  op: 'created' | 'updated' | 'destroyed'
}

export type DeletedMessageTable = {
  address_id: string
  id: string
  thread_id: string
  folder_id: string
  blob_key: string
  prefix: Buffer
  size: number
  structure: Buffer
  headers: Buffer | null
  wire_growth: number
  keywords: string[]
  received_at: Date
  received_zone: number
  sent_at: Date | null
  subject: string | null
  preview: string
  has_attachment: boolean
  envelope: MessageEnvelope
  from_sort: string
  to_sort: string
  subject_sort: string
  thread_ids: Buffer[]
  subject_hash: Buffer | null
  deleted_at: Date
  purge_at: Date
}

export type MessageSearchTable = {
  address_id: string
  message_id: string
  words: string
  text: string
  headers: Generated<string>
}

export type MessageUnindexedTable = {
  address_id: string
  message_id: string
  words: string | null
  text: string | null
  headers: string | null
}

export type BlobLinkTable = {
  owner_id: string
  blob_key: string
  kind: 'message' | 'upload' | 'queue' | 'email' | 'export' | 'deleted'
  ref_id: string
  size: number
  created_at: Date
  expires_at: Date | null
}

/** Who wrote to whom, and the ids that join messages to threads; kept so that lists need not read the message. */
export type MessageEnvelope = {
  from: readonly Mailbox[]
  sender: readonly Mailbox[]
  replyTo: readonly Mailbox[]
  to: readonly Mailbox[]
  cc: readonly Mailbox[]
  bcc: readonly Mailbox[]
  messageId: readonly string[]
  inReplyTo: readonly string[]
  references: readonly string[]
  /** Minutes that the Date field's time zone is ahead of UTC; absent when it is not. */
  sentOffset?: number
  /** Names of groups that a list begins with: IMAP takes them for the first address. */
  groups?: { readonly from?: string; readonly to?: string; readonly cc?: string }
}
