import { NOTIFICATION_DEFAULTS, type Notifications, type Role } from '@stoa/mail-model/accounts.ts'
import type { Selectable } from 'kysely'
import type { AccountTable } from '../../tables/accounts.ts'

/** An account as the service knows it. Its password's hash is not part of it. */
export type Account = {
  id: string
  email: string
  emailVerifiedAt: Date | null
  pendingEmail: string | null
  name: string | null
  company: string | null
  role: Role
  timezone: string
  locale: string
  notifications: Notifications
  referralCode: string
  createdAt: Date
  updatedAt: Date
  lastLoginAt: Date | null
  /** What of `plans/` it is on. */
  plan: string
  /** Since when an invoice is due that was not paid. */
  pastDueAt: Date | null
  /** Since when a code is asked at sign-in. */
  totpEnabledAt: Date | null
  /** How long a bounce suppresses a recipient; null: without end. */
  bounceSuppressionDays: number | null
}

/** The columns that make an account. */
export type AccountRow = Omit<
  Selectable<AccountTable>,
  'password_hash' | 'referred_by' | 'suspended_at' | 'deleted_at' | 'weekly_summary_at'
>

export const toAccount = (row: AccountRow): Account => ({
  id: row.id,
  email: row.email,
  emailVerifiedAt: row.email_verified_at,
  pendingEmail: row.pending_email,
  name: row.name,
  company: row.company,
  role: row.role,
  timezone: row.timezone,
  locale: row.locale,
  notifications: { ...NOTIFICATION_DEFAULTS, ...row.notifications },
  referralCode: row.referral_code,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  lastLoginAt: row.last_login_at,
  plan: row.plan,
  pastDueAt: row.past_due_at,
  totpEnabledAt: row.totp_enabled_at,
  bounceSuppressionDays: row.bounce_suppression_days,
})
