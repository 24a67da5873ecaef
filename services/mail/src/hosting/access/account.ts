import { NOTIFICATION_DEFAULTS } from '@stoa/mail-model/accounts.ts'
import type { Selectable } from 'kysely'
import type { Account } from '../../principal.ts'
import type { AccountTable } from '../../tables/accounts.ts'

/** The columns that make an account. */
export type AccountRow = Omit<
  Selectable<AccountTable>,
  | 'password_hash'
  | 'referred_by'
  | 'granted_plan'
  | 'suspended_at'
  | 'suspended_reason'
  | 'deleted_at'
  | 'weekly_summary_at'
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
  limits: row.limits,
  pastDueAt: row.past_due_at,
  totpEnabledAt: row.totp_enabled_at,
  bounceSuppressionDays: row.bounce_suppression_days,
})
