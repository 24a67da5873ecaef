import type { Email, EmailEvent, EmailItem } from '@stoa/mail-model/emails.ts'
import type { EmailRow, WholeEmailRow } from './read-queries.ts'

export const emailItemJson = (row: EmailRow): EmailItem => ({
  object: 'email',
  id: row.id,
  message_id: `<${row.message_id}>`,
  from: row.sender,
  to: row.to_list,
  cc: row.cc_list,
  bcc: row.bcc_list,
  reply_to: row.reply_to_list,
  subject: row.subject,
  tags: row.tags,
  topic_id: row.topic_id,
  status: row.status,
  last_event: row.last_event,
  scheduled_at: row.scheduled_at?.toISOString() ?? null,
  api_key_id: row.api_key_id,
  domain_id: row.domain_id,
  created_at: row.created_at.toISOString(),
  sent_at: row.sent_at?.toISOString() ?? null,
})

type EventView = Omit<EmailEvent, 'created_at'> & { created_at: Date }

export const emailJson = (row: WholeEmailRow, events: readonly EventView[]): Email => ({
  ...emailItemJson(row),
  html: row.html,
  text: row.text,
  headers: row.headers,
  attachments: row.attachments,
  events: events.map(({ created_at: at, ...event }) => ({ ...event, created_at: at.toISOString() })),
})
