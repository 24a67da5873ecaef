import type { WebhookEventType, webhookEventData } from '@stoa/mail-model/webhook-events.ts'
import type { z } from 'zod'

type Samples = { [Type in WebhookEventType]: z.infer<(typeof webhookEventData)[Type]> }

/** What a test delivery tells: an event as it looks when it happens, about things that do not exist. */
export const sampleOf = <Type extends WebhookEventType>(
  type: Type,
  { webhookId, at }: { webhookId: string; at: Date },
): Samples[Type] => samples(webhookId, at.toISOString())[type]

/** One id for all of them: a version 7 UUID of the year 1970, which nothing has. */
const ID = '00000000-0000-7000-8000-000000000000'

const samples = (webhookId: string, at: string): Samples => {
  const email = emailSample(at)
  return {
    'email.scheduled': email,
    'email.sent': email,
    'email.delivered': email,
    'email.delivery_delayed': email,
    'email.bounced': {
      ...email,
      bounce: {
        type: 'Permanent',
        subType: 'NoEmail',
        message: "The address doesn't exist.",
        diagnosticCode: ['smtp; 550 5.1.1 No such user'],
      },
    },
    'email.complained': email,
    'email.failed': { ...email, failed: { reason: "The domain doesn't accept mail." } },
    'email.suppressed': {
      ...email,
      suppressed: {
        type: 'OnAccountSuppressionList',
        reason: 'previous_bounce',
        message: 'The address is on the suppression list.',
        diagnosticCode: [],
      },
    },
    'email.opened': email,
    'email.clicked': {
      ...email,
      click: { ipAddress: '192.0.2.1', link: 'https://www.example.com/', timestamp: at, userAgent: 'Mozilla/5.0' },
    },
    'email.received': receivedSample(at),
    'domain.created': domainSample(at),
    'domain.updated': domainSample(at),
    'domain.deleted': domainSample(at),
    'suppression.added': suppressionSample(at),
    'suppression.removed': suppressionSample(at),
    'address.created': addressSample(at),
    'address.updated': addressSample(at),
    'address.deleted': addressSample(at),
    'transfer.completed': transferSample(at),
    'transfer.failed': {
      ...transferSample(at),
      status: 'failed',
      error: 'The server rejected the username or password.',
    },
    'webhook.test': { webhook_id: webhookId, message: 'This is a test of your webhook.' },
  }
}

const emailSample = (at: string): Samples['email.sent'] => ({
  email_id: ID,
  message_id: `<${ID}@mail.example.com>`,
  created_at: at,
  from: 'Example <hello@example.com>',
  to: ['person@example.org'],
  subject: 'A test of your webhook',
  tags: { kind: 'test' },
})

const receivedSample = (at: string): Samples['email.received'] => ({
  email_id: ID,
  created_at: at,
  from: 'Person <person@example.org>',
  to: ['hello@example.com'],
  cc: [],
  bcc: [],
  received_for: ['hello@example.com'],
  message_id: `<${ID}@mail.example.org>`,
  subject: 'A test of your webhook',
  attachments: [
    {
      id: '2',
      filename: 'notes.pdf',
      content_type: 'application/pdf',
      content_disposition: 'attachment',
      content_id: null,
    },
  ],
})

const domainSample = (at: string): Samples['domain.created'] => ({
  id: ID,
  name: 'example.com',
  status: 'pending',
  created_at: at,
  region: 'self-hosted',
  records: [
    {
      record: 'MX',
      name: '@',
      type: 'MX',
      ttl: '3600',
      status: 'pending',
      value: 'mail.example.net',
      priority: 10,
    },
  ],
})

const suppressionSample = (at: string): Samples['suppression.added'] => ({
  object: 'suppression',
  id: ID,
  email: 'person@example.org',
  origin: 'bounce',
  reason: null,
  source_id: ID,
  expires_at: null,
  created_at: at,
})

const addressSample = (at: string): Samples['address.created'] => ({
  object: 'address',
  id: ID,
  domain_id: ID,
  email: 'hello@example.com',
  local_part: 'hello',
  name: null,
  enabled: true,
  send_enabled: true,
  quota_bytes: null,
  used_bytes: 0,
  messages_count: 0,
  aliases: [],
  forward_to: [],
  keep_copy: true,
  recovery_email: null,
  spam_threshold: 5,
  require_app_password: false,
  last_login_at: null,
  created_at: at,
  updated_at: at,
})

const transferSample = (at: string): Samples['transfer.completed'] => ({
  object: 'transfer',
  id: ID,
  address_id: ID,
  address: 'hello@example.com',
  host: 'imap.example.org',
  port: 993,
  security: 'tls',
  username: 'hello@example.org',
  status: 'completed',
  folders_total: 6,
  folders_done: 6,
  messages_total: 120,
  messages_copied: 118,
  messages_skipped: 2,
  messages_failed: 0,
  bytes_copied: 4_194_304,
  current_folder: null,
  error: null,
  created_at: at,
  started_at: at,
  finished_at: at,
})
