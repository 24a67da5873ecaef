import type { EmailAttachment, EmailEventType, EmailStatus, EmailTag } from '@stoa/mail-model/emails.ts'
import type { JSONColumnType } from 'kysely'

/** What programs sent. */
export type EmailsTables = {
  email: EmailTable
  email_body: EmailBodyTable
  email_event: EmailEventTable
  email_count: EmailCountTable
  idempotency_key: IdempotencyKeyTable
}

export type EmailTable = {
  account_id: string
  id: string
  api_key_id: string
  domain_id: string
  message_id: string
  sender: string
  to_list: string[]
  cc_list: string[] | null
  bcc_list: string[] | null
  reply_to_list: string[] | null
  subject: string
  headers: JSONColumnType<Record<string, string>>
  tags: JSONColumnType<EmailTag[]>
  attachments: JSONColumnType<EmailAttachment[]>
  topic_id: string | null
  status: EmailStatus
  last_event: EmailEventType
  scheduled_at: Date | null
  sent_at: Date | null
  created_at: Date
}

export type EmailBodyTable = {
  account_id: string
  email_id: string
  html: string | null
  text: string | null
  created_at: Date
}

export type EmailEventTable = {
  account_id: string
  email_id: string
  id: string
  type: EmailEventType
  recipient: string | null
  detail: string | null
  created_at: Date
}

export type EmailCountTable = {
  account_id: string
  total: number
}

export type IdempotencyKeyTable = {
  account_id: string
  route: string
  key: string
  request_hash: Buffer
  response: unknown
  created_at: Date
}
