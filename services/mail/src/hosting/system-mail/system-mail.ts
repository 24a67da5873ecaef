import { isAscii } from 'node:buffer'
import type { Db, Tx } from '@stoa/kit/db/database.ts'
import { newId } from '@stoa/kit/ids.ts'
import { NOTIFICATION_DEFAULTS, type Notifications } from '@stoa/mail-model/accounts.ts'
import type { SharedParts } from '../../context.ts'
import { buildMail } from '../../formats/compose/compose.ts'
import type { Tables } from '../../tables.ts'
import { findLocalDomain } from '../domains/domains.ts'
import { enqueue } from '../enqueue/enqueue.ts'
import { type MailContent, renderHtml, renderText } from './mail-content.ts'

export { dayOf, type MailContent } from './mail-content.ts'
export { accountDeleted } from './templates/account-deleted.ts'
export { confirmNewEmail } from './templates/confirm-new-email.ts'
export { domainDisplaced } from './templates/domain-displaced.ts'
export { domainStatus } from './templates/domain-status.ts'
export { emailChangeRequested } from './templates/email-change-requested.ts'
export { emailChanged } from './templates/email-changed.ts'
export { junkDigest } from './templates/junk-digest.ts'
export { limitsLowered, limitsLoweredSoon } from './templates/limits-lowered.ts'
export { mailboxPasswordReset } from './templates/mailbox-password-reset.ts'
export { passwordChanged } from './templates/password-changed.ts'
export { paymentFailed } from './templates/payment-failed.ts'
export { paymentReceived } from './templates/payment-received.ts'
export { quotaWarning } from './templates/quota-warning.ts'
export { recoverMailbox } from './templates/recover-mailbox.ts'
export { recoveryAddressChanged } from './templates/recovery-address-changed.ts'
export { recoveryCodeUsed } from './templates/recovery-code-used.ts'
export { recoveryRequested } from './templates/recovery-requested.ts'
export { resetPassword } from './templates/reset-password.ts'
export { securityMailsOff } from './templates/security-mails-off.ts'
export { sendingStopped, sendingStopsSoon } from './templates/sending-stopped.ts'
export { signInReset } from './templates/sign-in-reset.ts'
export { transferResult } from './templates/transfer-result.ts'
export { trialEnds } from './templates/trial-ends.ts'
export { twoFactorChanged } from './templates/two-factor-changed.ts'
export { verifyEmail } from './templates/verify-email.ts'
export { webhookDisabled } from './templates/webhook-disabled.ts'
export { weeklySummary } from './templates/weekly-summary.ts'

/** What mail of the service itself needs; `ctx.parts` is enough. */
export type SystemMailParts = {
  readonly blobs: SharedParts['blobs']
  readonly clock: SharedParts['clock']
  readonly config: Pick<SharedParts['config'], 'hostname' | 'systemFrom' | 'publicUrl'>
}

/** A mail is a few kilobytes; this is for lists of facts that got out of hand. */
const MAX_LETTER_BYTES = 1_048_576

/**
 * Sends a mail of the service, as text and HTML, from SYSTEM_FROM, if the transaction commits. Contents come from
 * `templates/`: `sendSystemMail(ctx.parts, tx, { to, content: resetPassword({ url }) })`.
 */
export const sendSystemMail = async (
  parts: SystemMailParts,
  tx: Tx<Tables>,
  { to, content }: { to: string; content: MailContent },
): Promise<void> => {
  const { hostname, systemFrom, publicUrl } = parts.config
  const now = parts.clock.now()
  const messageId = `${newId()}@${hostname}`
  const signature = `Stoa Mail at ${publicUrl}`
  const bytes = await buildMail({
    from: { name: 'Stoa Mail', email: systemFrom },
    to: [{ name: null, email: to }],
    subject: content.subject,
    text: renderText(content, signature),
    html: renderHtml(content, signature),
    messageId,
    date: now,
    // RFC 3834 §5: nobody's holiday notice answers it.
    headers: [{ name: 'Auto-Submitted', value: 'auto-generated' }],
  })
  const { key, size } = await parts.blobs.put(bytes, { maxBytes: MAX_LETTER_BYTES })
  const signer = await findLocalDomain(tx, systemFrom.slice(systemFrom.lastIndexOf('@') + 1))
  await enqueue(tx, {
    accountId: null,
    addressId: null,
    source: 'system',
    blob: { key, size },
    returnPath: systemFrom,
    // Bounces to the service would not be read, so none are requested.
    recipients: [{ address: to, notify: ['never'] }],
    signingDomainId: signer?.id ?? null,
    messageId: `<${messageId}>`,
    headerFrom: systemFrom,
    subject: content.subject,
    needsUtf8: false,
    needs8bit: !isAscii(bytes),
    now,
  })
}

/**
 * Sends a mail to the owner of an account, if they want mails about such things; `always` is for what they must know.
 * True when it was sent.
 */
export const notifyAccount = async (
  parts: SystemMailParts,
  tx: Tx<Tables>,
  { accountId, about, content }: { accountId: string; about: keyof Notifications | 'always'; content: MailContent },
): Promise<boolean> => {
  const reader = await findReader(tx, accountId)
  if (!reader || (about !== 'always' && !reader.notifications[about])) return false
  await sendSystemMail(parts, tx, { to: reader.email, content })
  return true
}

type Reader = { email: string; notifications: Notifications }

/** Where mails about an account go, and which of them its owner wants. */
const findReader = async (db: Db<Tables>, accountId: string): Promise<Reader | undefined> => {
  const row = await db
    .selectFrom('account')
    .select(['email', 'notifications'])
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row && { email: row.email, notifications: { ...NOTIFICATION_DEFAULTS, ...row.notifications } }
}
