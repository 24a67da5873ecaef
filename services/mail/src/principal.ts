import type { Notifications, Role } from '@stoa/mail-model/accounts.ts'
import type { OwnLimits } from '@stoa/mail-model/plans.ts'
import { fail } from './errors.ts'
import type { ApiKeyTable } from './tables/keys.ts'

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
  /** The name of a plan in `hosting/plans`. */
  plan: string
  /** Limits that replace the plan's. */
  limits: OwnLimits
  /** Since when an invoice is due that was not paid. */
  pastDueAt: Date | null
  /** Since when sign-in requires a code. */
  totpEnabledAt: Date | null
  /** How long a bounce suppresses a recipient; null: without end. */
  bounceSuppressionDays: number | null
}

/** The doors that a mailbox or app password may open. */
export type CredentialScope = 'smtp' | 'imap' | 'pop3' | 'managesieve' | 'jmap' | 'webmail'

export type SignedInAddress = {
  id: string
  accountId: string
  domainId: string
  email: string
  name: string | null
  sendEnabled: boolean
}

/** Who signed in, where, and with what. */
export type SignIn = {
  address: SignedInAddress
  scope: CredentialScope
  appPasswordId: string | null
  /** Another one after the mailbox password was changed. */
  passwordStamp: string
}

/**
 * In the order in which they are tried. `key`: the Authorization header of a program that sends; `mailbox`: that of a mail
 * app; `session`: the cookie of the panel; `webmail`: the cookie of a mailbox.
 */
export const credentialKinds = ['key', 'mailbox', 'session', 'webmail'] as const
export type CredentialKind = (typeof credentialKinds)[number]

/** What a route requires beyond the credential. `sending`: any key; `sent`: the account or a key with full access. */
export type Access = 'anyone' | 'account' | 'owner' | 'mailbox' | 'sending' | 'sent'

export type SessionPrincipal = { kind: 'session'; sessionId: string; account: Account }
/** Somebody who signed in to one mailbox. */
export type MailboxPrincipal = {
  kind: 'mailbox'
  signIn: SignIn
  via: 'basic' | 'bearer' | 'cookie'
  /** The session of the cookie; its end is published as the change `webmail_session ended`. */
  sessionId: string | null
  expiresAt: Date | null
}
/** A program that sends with a key of an account. */
export type KeyPrincipal = {
  kind: 'key'
  account: Account
  /** `domainId`: the only domain it sends for; null is every one of the account. */
  key: { id: string; permission: ApiKeyTable['permission']; domainId: string | null }
}
/** The caller. */
export type Principal = { kind: 'anonymous' } | SessionPrincipal | MailboxPrincipal | KeyPrincipal

/** The part of a request's context that identifies the caller. */
type Asking = { readonly principal: Principal }

/** The session behind a route that declares `session`. */
export const sessionOf = ({ principal }: Asking): SessionPrincipal =>
  principal.kind === 'session' ? principal : fail('unauthorized')

/** The key behind a route that declares `key` alone. */
export const keyOf = ({ principal }: Asking): KeyPrincipal =>
  principal.kind === 'key' ? principal : fail('missing_api_key')

/** Whose account a route that declares `key` and `session` was opened for. */
export const accountOf = ({ principal }: Asking): Account =>
  principal.kind === 'key' || principal.kind === 'session' ? principal.account : fail('unauthorized')

/** Whose mailbox a route that declares `mailbox` or `webmail` was opened for, and how. */
export const mailboxOf = ({ principal }: Asking): MailboxPrincipal =>
  principal.kind === 'mailbox' ? principal : fail('unauthorized')

export const signInOf = (asking: Asking): SignIn => mailboxOf(asking).signIn
