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

const choice = z.boolean({ error: 'must be true or false' })

export const notifications = z.object({
  security: choice,
  domain_status: choice,
  quota_warnings: choice,
  billing: choice,
  webhook_failures: choice,
  transfer_results: choice,
  product_updates: choice,
  weekly_summary: choice,
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
  /** How many days a bounce suppresses an address; null: without end. */
  bounce_suppression_days: z.int().nullable(),
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

/** Six digits or a recovery code, with room for spaces. */
const code = z.string({ error: 'must be text' }).max(32, { error: 'must have at most 32 characters' })

/** Any text is an address to try: one that nobody can have is answered like one that nobody has. */
export const loginInput = z.object({
  email: line({ max: MAX_EMAIL }),
  password: givenPassword,
  /** Asked of accounts with two-factor authentication; otherwise not looked at. */
  totp_code: code.optional(),
})

/** A link by mail carries it; what is none is answered like one that has run out. */
export const tokenText = z.string({ error: 'must be text' }).max(200, { error: 'must have at most 200 characters' })
export const tokenInput = z.object({ token: tokenText })
export const verificationSent = z.object({ object: z.literal('verification'), sent: z.boolean() })

export const forgotInput = z.object({ email: line({ max: MAX_EMAIL }) })
export const resetAccepted = z.object({ object: z.literal('password_reset'), accepted: z.literal(true) })
export const resetInput = z.object({ token: tokenText, password: newPassword })
export const resetDone = z.object({ object: z.literal('password_reset'), reset: z.literal(true) })

export const totpSetupInput = z.object({ password: givenPassword })
export const totpSetup = z.object({
  object: z.literal('totp_setup'),
  /** Base32, for those who cannot scan. */
  secret: z.string(),
  otpauth_url: z.string(),
  qr_svg: z.string(),
  expires_at: moment,
})
export type TotpSetup = z.infer<typeof totpSetup>
export const totpEnableInput = z.object({ code })
export const totpEnabled = z.object({
  object: z.literal('totp'),
  enabled: z.literal(true),
  /** Shown this once. */
  recovery_codes: z.array(z.string()),
})
export type TotpEnabled = z.infer<typeof totpEnabled>
export const totpDisableInput = z.object({ password: givenPassword, code })
export const totpDisabled = z.object({ object: z.literal('totp'), enabled: z.literal(false) })

/** Accounts with two-factor authentication give a code too. */
export const emailChangeInput = z.object({ email, password: givenPassword, totp_code: code.optional() })
export const accountDeleteInput = z.object({ password: givenPassword, totp_code: code.optional() })

const isTimeZone = (text: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** RFC 5646, in its one spelling. */
const locale = line({ min: 2, max: 35 }).transform((text, context) => {
  try {
    return Intl.getCanonicalLocales(text)[0] ?? text
  } catch {
    context.addIssue({ code: 'custom', message: 'must be a language like en or pt-BR' })
    return z.NEVER
  }
})

/** Ten years, nearly. */
export const MAX_BOUNCE_SUPPRESSION_DAYS = 3_650

export const profileInput = z.object({
  name: line({ max: 200 }).nullish(),
  company: line({ max: 200 }).nullish(),
  timezone: line({ min: 1, max: 64 })
    .refine(isTimeZone, { error: 'must be a time zone like Europe/Berlin' })
    .optional(),
  locale: locale.optional(),
  bounce_suppression_days: z
    .int({ error: 'must be a whole number of days, or null' })
    .min(1, { error: 'must be at least 1' })
    .max(MAX_BOUNCE_SUPPRESSION_DAYS, { error: `must be at most ${MAX_BOUNCE_SUPPRESSION_DAYS}` })
    .nullable()
    .optional(),
})
export type ProfileInput = z.output<typeof profileInput>

export const notificationsInput = notifications.partial()

const referral = z.object({
  object: z.literal('referral'),
  id: z.uuid(),
  /** Masked: whom somebody invited is their own affair. */
  email: z.string(),
  status: z.enum(['signed_up', 'converted', 'credited']),
  created_at: moment,
})
export const referrals = z.object({
  object: z.literal('referrals'),
  code: z.string(),
  url: z.string(),
  signed_up: z.int(),
  converted: z.int(),
  credit_cents: z.int(),
  currency: z.string(),
  data: z.array(referral),
})
export type Referrals = z.infer<typeof referrals>

export const passwordInput = z.object({ current_password: givenPassword, password: newPassword })

export const sessionRevoked = z.object({ object: z.literal('session'), revoked: z.literal(true) })
export const sessionRevocation = z.object({ object: z.literal('session_revocation'), revoked: z.int() })
export type SessionRevocation = z.infer<typeof sessionRevocation>
