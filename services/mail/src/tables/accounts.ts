import type { Notifications, Role } from '@stoa/mail-model/accounts.ts'
import type { OwnLimits } from '@stoa/mail-model/plans.ts'
import type { Generated } from 'kysely'

/** The customers of the instance. */
export type AccountsTables = {
  account: AccountTable
  session: SessionTable
  password_attempt: PasswordAttemptTable
  sending_day: SendingDayTable
}

export type AccountTable = {
  id: string
  email: string
  email_verified_at: Date | null
  pending_email: string | null
  password_hash: string
  name: string | null
  company: string | null
  role: Role
  timezone: Generated<string>
  locale: Generated<string>
  notifications: Generated<Partial<Notifications>>
  referral_code: string
  referred_by: string | null
  created_at: Date
  updated_at: Date
  last_login_at: Date | null
  plan: Generated<string>
  /** Given by the owner of the instance; it counts unless the account pays for another one. */
  granted_plan: string | null
  /** In place of the plan's. */
  limits: Generated<OwnLimits>
  suspended_at: Date | null
  suspended_reason: string | null
  /** Since when an invoice is due that was not paid. */
  past_due_at: Date | null
  totp_enabled_at: Date | null
  deleted_at: Date | null
  weekly_summary_at: Date | null
  bounce_suppression_days: Generated<number | null>
}

export type SessionTable = {
  account_id: string
  id: string
  token_hash: Buffer
  ip: string | null
  user_agent: string | null
  created_at: Date
  last_seen_at: Date
  expires_at: Date
}

export type PasswordAttemptTable = {
  key: Buffer
  used: number
  ends_at: Date
}

export type SendingDayTable = {
  account_id: string
  day: string
  recipients: number
}
