import type { AuditAction } from '@stoa/mail-model/audit.ts'
import type { Generated } from 'kysely'

/** What belongs to the panel's accounts besides the account itself. */
export type PanelAccountsTables = {
  two_factor: TwoFactorTable
  recovery_code: RecoveryCodeTable
  account_token: AccountTokenTable
  recovery_token: RecoveryTokenTable
  recovery_change: RecoveryChangeTable
  instance_setting: InstanceSettingTable
  quota_warning: QuotaWarningTable
  audit: AuditTable
}

export type AuditTable = {
  id: string
  actor: string
  action: AuditAction
  target: string | null
  detail: Record<string, unknown>
  created_at: Date
}

export type TwoFactorTable = {
  account_id: string
  sealed_secret: string
  started_at: Date
  last_step: number | null
}

export type RecoveryCodeTable = {
  account_id: string
  code_hash: Buffer
}

export type AccountTokenTable = {
  account_id: string
  purpose: 'verify' | 'email_change' | 'reset'
  token_hash: Buffer
  email: string
  expires_at: Date
}

export type RecoveryTokenTable = {
  address_id: string
  token_hash: Buffer
  email: string
  password_stamp: Buffer
  expires_at: Date
}

export type RecoveryChangeTable = {
  address_id: string
  previous_email: string
  changed_at: Date
}

export type InstanceSettingTable = {
  is_only: Generated<boolean>
  signups: 'open' | 'closed' | null
  dnsbl: Generated<string[]>
  dnswl: Generated<string[]>
  domain_dnsbl: Generated<string[]>
  greylisting: Generated<boolean>
  greylisting_minutes: Generated<number>
  updated_at: Date
}

export type QuotaWarningTable = {
  subject_id: string
  account_id: string
  percent: number
  warned_at: Date
}
