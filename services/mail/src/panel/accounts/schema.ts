import type { Session, User } from '@stoa/mail-model/accounts.ts'
import { planIdOf } from '../../hosting/plans/plans.ts'
import type { Account } from '../../principal.ts'
import type { SessionRow } from './queries.ts'

/** An account as its owner sees it. */
export const userJson = (account: Account): User => ({
  object: 'user',
  id: account.id,
  email: account.email,
  email_verified: account.emailVerifiedAt !== null,
  pending_email: account.pendingEmail,
  name: account.name,
  company: account.company,
  role: account.role,
  timezone: account.timezone,
  locale: account.locale,
  totp_enabled: account.totpEnabledAt !== null,
  notifications: account.notifications,
  referral_code: account.referralCode,
  bounce_suppression_days: account.bounceSuppressionDays,
  plan_id: planIdOf(account.plan),
  created_at: account.createdAt.toISOString(),
  updated_at: account.updatedAt.toISOString(),
  last_login_at: account.lastLoginAt?.toISOString() ?? null,
})

export const sessionJson = (row: SessionRow, currentId: string): Session => ({
  object: 'session',
  id: row.id,
  current: row.id === currentId,
  ip: row.ip,
  user_agent: row.user_agent,
  created_at: row.created_at.toISOString(),
  last_seen_at: row.last_seen_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
})
