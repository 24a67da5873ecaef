import type { Generated } from 'kysely'

/** The queue outward, and what came back. */
export type SendingTables = {
  queue_message: QueueMessageTable
  queue_recipient: QueueRecipientTable
  queue_attempt: QueueAttemptTable
  queue_destination: QueueDestinationTable
  queue_hold: QueueHoldTable
  suppression: SuppressionTable
  soft_bounce: SoftBounceTable
  mta_sts_policy: MtaStsPolicyTable
  tls_counter: TlsCounterTable
  report: ReportTable
}

export type QueueMessageTable = {
  id: string
  account_id: string | null
  address_id: string | null
  source: 'submission' | 'api' | 'webmail' | 'jmap' | 'sieve' | 'forward' | 'dsn' | 'system'
  blob_key: string
  prefix: Generated<Buffer>
  size: number
  signing_domain_id: string | null
  message_id: string | null
  header_from: string | null
  subject: string | null
  needs_utf8: Generated<boolean>
  needs_8bit: Generated<boolean>
  requires_tls: Generated<boolean>
  envid: string | null
  ret: 'full' | 'hdrs' | null
  not_before: Date
  expires_at: Date
  created_at: Date
}

export type QueueRecipientTable = {
  message_id: string
  ordinal: number
  id: string
  recipient: string
  domain: string
  return_path: string
  bounce_token: string | null
  state: Generated<'queued' | 'sending' | 'deferred' | 'delivered' | 'bounced' | 'failed' | 'suppressed' | 'cancelled'>
  attempts: Generated<number>
  next_at: Date
  lease_until: Date | null
  lease_token: string | null
  notify: string[] | null
  orcpt: string | null
  last_code: number | null
  last_status: string | null
  last_reply: string | null
  last_host: string | null
  delay_told_at: Date | null
  finished_at: Date | null
}

export type QueueAttemptTable = {
  message_id: string
  ordinal: number
  attempt: number
  host: string | null
  ip: string | null
  policy: string | null
  tls: string | null
  code: number | null
  status: string | null
  reply: string | null
  duration_ms: number
  created_at: Date
}

export type QueueDestinationTable = {
  domain: string
  failures: number
  failing_since: Date
  retry_at: Date
}

export type QueueHoldTable = {
  id: string
  domain: string
  reason: string | null
  created_at: Date
}

export type SuppressionTable = {
  account_id: string
  id: string
  email: string
  origin: 'bounce' | 'complaint' | 'manual'
  reason: string | null
  source_id: string | null
  expires_at: Date | null
  created_at: Date
}

export type SoftBounceTable = {
  account_id: string
  email: string
  created_at: Date
  message_id: string
}

export type MtaStsPolicyTable = {
  domain: string
  policy_id: string
  mode: 'none' | 'testing' | 'enforce'
  mx: string[]
  fetched_at: Date
  expires_at: Date
}

export type TlsCounterTable = {
  day: string
  domain: string
  policy_type: string
  host: string
  result: string
  sessions: number
}

export type ReportTable = {
  domain_id: string
  id: string
  type: 'dmarc' | 'tls'
  org: string
  report_id: string
  begins_at: Date
  ends_at: Date
  pass: number
  fail: number
  rows: unknown
  created_at: Date
}
