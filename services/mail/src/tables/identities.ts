import type { Mailbox } from '@stoa/mail-model/email.ts'
import type { Generated } from 'kysely'

/** Whom mailboxes write as, what they sent, and what they answer while their owner is away. */
export type IdentitiesTables = {
  identity: IdentityTable
  submission: SubmissionTable
  submission_recipient: SubmissionRecipientTable
  vacation: VacationTable
}

export type IdentityTable = {
  address_id: string
  id: string
  name: Generated<string>
  email: string
  reply_to: readonly Mailbox[] | null
  bcc: readonly Mailbox[] | null
  signature_text: Generated<string>
  signature_html: Generated<string>
  is_default: Generated<boolean>
  is_own: Generated<boolean>
  created_at: Date
  updated_at: Date
}

export type SubmissionTable = {
  address_id: string
  id: string
  identity_id: string
  message_id: string
  thread_id: string
  queue_id: string
  mail_from: SubmissionSender
  send_at: Date
  undo_status: 'pending' | 'final' | 'canceled'
  created_at: Date
}

export type SubmissionRecipientTable = {
  address_id: string
  submission_id: string
  ordinal: number
  email: string
  parameters: Record<string, string | null> | null
  is_local: boolean
  delivered: 'queued' | 'yes' | 'no' | 'unknown'
  smtp_reply: string
}

export type VacationTable = {
  address_id: string
  enabled: boolean
  from_date: Date | null
  to_date: Date | null
  subject: string | null
  text_body: string | null
  html_body: string | null
  updated_at: Date
}

export type SubmissionSender = { email: string; parameters: Record<string, string | null> | null }
