import { z } from 'zod'
import { email, MAX_EMAIL } from './email.ts'
import { listOf, listQuery } from './list.ts'
import { givenPassword, newPassword } from './password.ts'
import { label, line, moment } from './text.ts'

/** The owner runs the instance; there is exactly one. */
export const roles = ['owner', 'member'] as const
export type Role = (typeof roles)[number]

/** Which mails about the account are sent unless the person chooses otherwise. */
export const NOTIFICATION_DEFAULTS = {
  security: true,
  domain_status: true,
  quota_warnings: true,
  billing: true,
  webhook_failures: true,
  transfer_results: true,
  product_updates: false,
  weekly_summary: false,
} as const satisfies Record<string, boolean>

export const notifications = z.object({
  security: z.boolean(),
  domain_status: z.boolean(),
  quota_warnings: z.boolean(),
  billing: z.boolean(),
  webhook_failures: z.boolean(),
  transfer_results: z.boolean(),
  product_updates: z.boolean(),
  weekly_summary: z.boolean(),
} satisfies Record<keyof typeof NOTIFICATION_DEFAULTS, z.ZodType>)
export type Notifications = z.infer<typeof notifications>

export const user = z.object({
  object: z.literal('user'),
  id: z.uuid(),
  email: z.string(),
  email_verified: z.boolean(),
  /** A new address that takes effect once it is confirmed. */
  pending_email: z.string().nullable(),
  name: z.string().nullable(),
  company: z.string().nullable(),
  role: z.enum(roles),
  timezone: z.string(),
  locale: z.string(),
  totp_enabled: z.boolean(),
  notifications,
  referral_code: z.string(),
  plan_id: z.string().nullable(),
  created_at: moment,
  updated_at: moment,
  last_login_at: moment.nullable(),
})
export type User = z.infer<typeof user>

export const session = z.object({
  object: z.literal('session'),
  id: z.uuid(),
  /** The session that asks. */
  current: z.boolean(),
  ip: z.string().nullable(),
  user_agent: z.string().nullable(),
  created_at: moment,
  last_seen_at: moment,
  expires_at: moment,
})
export type Session = z.infer<typeof session>

export const sessionList = listOf(session)
export const sessionListQuery = listQuery({ sort: ['last_seen_at', 'created_at'], direction: 'desc' })

export const signupStatus = z.object({
  object: z.literal('signup_status'),
  open: z.boolean(),
  /** Nobody has an account yet: whoever signs up now owns the instance. */
  first_account: z.boolean(),
  reason: z.literal('closed').nullable(),
})
export type SignupStatus = z.infer<typeof signupStatus>

export const signupInput = z.object({
  email,
  password: newPassword,
  name: label({ max: 200 }),
  referral_code: line({ max: 64 }).nullish(),
})

/** Any text is an address to try: one that nobody can have is answered like one that nobody has. */
/** Six digits or a recovery code, with room for spaces. */
const MAX_CODE = 32

export const loginInput = z.object({
  email: line({ max: MAX_EMAIL }),
  password: givenPassword,
  /** Asked of accounts with two-factor sign-in; otherwise not looked at. */
  totp_code: z.string().max(MAX_CODE).optional(),
})

export const passwordInput = z.object({ current_password: givenPassword, password: newPassword })

export const sessionRevoked = z.object({ object: z.literal('session'), revoked: z.literal(true) })
export const sessionRevocation = z.object({ object: z.literal('session_revocation'), revoked: z.int() })
export type SessionRevocation = z.infer<typeof sessionRevocation>
