import type { DomainStatus, RecordStatus } from '@stoa/mail-model/dns.ts'
import type { Generated, JSONColumnType } from 'kysely'

/** DNS observations of the hosted domains. */
export type DnsTables = {
  dns_check: DnsCheckTable
}

export type DnsCheckTable = {
  domain_id: string
  status: Generated<DomainStatus>
  checked_at: Date | null
  next_check_at: Date
  asked_at: Date | null
  provider: string | null
  records: JSONColumnType<Record<string, RecordState>, string | undefined, string>
}

/** One record as it was last seen; moments as ISO 8601. */
export type RecordState = {
  status: RecordStatus
  found: string[]
  message: string | null
  checkedAt: string
  /** When it was last right. */
  verifiedAt: string | null
}
