import type { Generated, GeneratedAlways } from 'kysely'

/** What receiving and filtering remember. */
export type ReceivingTables = {
  receipt: ReceiptTable
  relay_receipt: RelayReceiptTable
  activity: ActivityTable
  refused_recipient: RefusedRecipientTable
  listed_sender: ListedSenderTable
  greylist: GreylistTable
  spam_training: SpamTrainingTable
  spam_word: SpamWordTable
  spam_lesson: SpamLessonTable
  spam_pending: SpamPendingTable
  sieve_script: SieveScriptTable
  sieve_memory: SieveMemoryTable
}

export type ReceiptTable = {
  address_id: string
  hash: Buffer
  acknowledged: Generated<boolean>
  created_at: Date
}

export type RelayReceiptTable = {
  hash: Buffer
  acknowledged: Generated<boolean>
  created_at: Date
}

export type ActivityTable = {
  address_id: string
  id: string
  type: 'received' | 'sent' | 'rejected' | 'bounced' | 'deferred' | 'spam' | 'login' | 'login_failed' | 'filter_error'
  direction: 'in' | 'out' | null
  sender: string | null
  recipient: string | null
  subject: string | null
  message_id: string | null
  size_bytes: number | null
  remote_ip: string | null
  result: string | null
  created_at: Date
}

export type RefusedRecipientTable = {
  account_id: string
  id: string
  domain_id: string
  sender: string | null
  /** Null: further ones, more than are recorded separately. */
  recipient: string | null
  remote_ip: string | null
  count: number
  created_at: Date
}

export type ListedSenderTable = {
  id: string
  address_id: string | null
  domain_id: string | null
  list_id: GeneratedAlways<string>
  pattern: string
  action: 'allow' | 'block'
  created_at: Date
}

export type GreylistTable = {
  address_id: string
  network: string
  sender: string
  first_seen_at: Date
  passed_at: Date | null
  expires_at: Date
}

export type SpamTrainingTable = {
  address_id: string
  spam: number
  ham: number
}

export type SpamWordTable = {
  address_id: string
  word: number
  spam: number
  ham: number
}

export type SpamLessonTable = {
  address_id: string
  blob_key: string
  verdict: 'spam' | 'ham'
}

export type SpamPendingTable = {
  address_id: string
  blob_key: string
  verdict: 'spam' | 'ham'
  created_at: Date
}

export type SieveScriptTable = {
  id: string
  account_id: string
  address_id: string | null
  origin: 'panel' | 'client'
  name: string
  source: string
  enabled: boolean
  position: Generated<number>
  extensions: Generated<string[]>
  created_at: Date
  updated_at: Date
}

export type SieveMemoryTable = {
  address_id: string
  kind: 'vacation' | 'duplicate'
  hash: Buffer
  expires_at: Date
}
