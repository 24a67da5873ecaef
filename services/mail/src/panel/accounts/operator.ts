import { hashPassword } from '@stoa/kit/crypto/password.ts'
import { newKey } from '@stoa/kit/crypto/tokens.ts'
import type { Database, Tx } from '@stoa/kit/db/database.ts'
import { Secret } from '@stoa/kit/secret.ts'
import { hostActor, recordAct } from '../../hosting/audit/audit.ts'
import { type SystemMailParts, sendSystemMail, signInReset } from '../../hosting/system-mail/system-mail.ts'
import type { Account } from '../../principal.ts'
import type { Tables } from '../../tables.ts'
import { deleteTokens, issueToken, linkTo } from './links.ts'
import { deleteAllSessions, lockWholeAccount, updateAccount } from './profile-queries.ts'
import { findCredentialsByEmail } from './queries.ts'
import { deleteTwoFactor } from './second-factor-queries.ts'

type Which = { email: string; now: Date }

/** 119 bits. */
const PASSWORD_CHARACTERS = 20

/**
 * Sets a random panel password from the host, without the old one. Sessions end, pending links and address changes are
 * void, the second factor stays. Null when there is no such account.
 */
export const resetPanelPassword = async (database: Database<Tables>, { email, now }: Which): Promise<Secret | null> => {
  const password = new Secret(newKey('', PASSWORD_CHARACTERS))
  const passwordHash = await hashPassword(password.reveal())
  return database.tx(async (tx) => {
    const account = await lockByEmail(tx, email)
    if (!account) return null
    await updateAccount(tx, account.id, { password_hash: passwordHash, pending_email: null, updated_at: now })
    await deleteTokens(tx, account.id, ['verify', 'email_change', 'reset'])
    await deleteAllSessions(tx, account.id)
    await recordHostAct(tx, account, 'account.password_set', now)
    return password
  })
}

/**
 * Switches two-factor authentication off for somebody who lost phone and recovery codes; all sessions end. False when it was
 * off already, null when there is no such account.
 */
export const removeTwoFactor = (database: Database<Tables>, { email, now }: Which): Promise<boolean | null> =>
  database.tx(async (tx) => {
    const account = await lockByEmail(tx, email)
    if (!account) return null
    if (account.totpEnabledAt === null) return false
    await turnTwoFactorOff(tx, account, now)
    await deleteAllSessions(tx, account.id)
    await recordHostAct(tx, account, 'account.two_factor_removed', now)
    return true
  })

/**
 * Ends all sessions and mails a link for a new password; a change of the address that was under way is void. The old
 * password works until the link is used.
 */
export const endSignIn = async (
  parts: SystemMailParts,
  tx: Tx<Tables>,
  { account, removesTotp, now }: { account: Account; removesTotp: boolean; now: Date },
): Promise<void> => {
  const { id: accountId, email, totpEnabledAt } = account
  const isTotpOff = removesTotp && totpEnabledAt !== null
  if (isTotpOff) await turnTwoFactorOff(tx, account, now)
  await updateAccount(tx, accountId, { pending_email: null, updated_at: now })
  await deleteTokens(tx, accountId, ['email_change'])
  await deleteAllSessions(tx, accountId)
  const token = await issueToken({ now: () => now }, tx, { accountId, purpose: 'reset', email })
  await sendSystemMail(parts, tx, {
    to: email,
    content: signInReset({ url: linkTo(parts, 'reset', token), isTotpOff }),
  })
}

const turnTwoFactorOff = async (tx: Tx<Tables>, { id }: Account, now: Date): Promise<void> => {
  await deleteTwoFactor(tx, id)
  await updateAccount(tx, id, { totp_enabled_at: null, updated_at: now })
}

const recordHostAct = (
  tx: Tx<Tables>,
  { id, email }: Account,
  action: 'account.password_set' | 'account.two_factor_removed',
  now: Date,
): Promise<void> => recordAct(tx, hostActor(now), { action, target: email, detail: { account_id: id } })

const lockByEmail = async (tx: Tx<Tables>, email: string): Promise<Account | undefined> => {
  const found = await findCredentialsByEmail(tx, email)
  const account = found && (await lockWholeAccount(tx, found.id))
  // The address may have become another one before the lock.
  return account?.email === email ? account : undefined
}
