import { hashPassword } from '@stoa/kit/crypto/password.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import type { CmsDb } from '../../context.ts'
import { recordActivity } from '../../events/events.ts'
import type { Account, SystemPrincipal } from '../../principal.ts'
import type { Tables } from '../../tables.ts'
import { forgetTwoFactor } from '../two-factor/two-factor.ts'
import { findAccountByEmail, listAllAccounts, lockAccounts, revokeAllSessions, updateAccount } from './queries.ts'
import { userTarget } from './record.ts'

export type Recovery = {
  email: string
  password: string
  /** Whether the second factor goes, too: for someone who has lost phone and recovery codes. */
  removesTwoFactor: boolean
  now: Date
}

/** Sets a password from the host, without the old one; all sessions of that person end. Null when there is nobody. */
export const recoverAccount = async (
  database: Database<Tables>,
  { email, password, removesTwoFactor, now }: Recovery,
): Promise<Account | null> => {
  const passwordHash = await hashPassword(password)
  const host = { principal: HOST, now: () => now }
  return database.tx(async (tx) => {
    await lockAccounts(tx)
    const found = await findAccountByEmail(tx, email.trim())
    if (!found) return null
    const changes = { passwordHash, ...(removesTwoFactor && { hasTotp: false }) }
    const account = await updateAccount(tx, found.id, changes, { at: now, by: null })
    // After the account, as at sign-in: two that meet wait for each other in one order only.
    if (removesTwoFactor) await forgetTwoFactor(tx, found.id)
    await revokeAllSessions(tx, found.id, now)
    const target = userTarget(account)
    await recordActivity(host, tx, { action: 'user.password.changed', target })
    if (removesTwoFactor && found.hasTotp) await recordActivity(host, tx, { action: 'user.totp.disabled', target })
    return account
  })
}

/** The operator at the machine, as Activity names them. */
const HOST: SystemPrincipal = { kind: 'system', name: 'cms:password' }

/** Every account on a line of its own, for the operator at the machine. */
export const describeAccounts = async (db: CmsDb): Promise<string> => {
  const accounts = await listAllAccounts(db)
  if (accounts.length === 0) return 'There are no accounts yet. Open the admin to claim the site.\n'
  const width = Math.max(...accounts.map(({ email }) => email.length))
  const lines = accounts.map(
    ({ email, role, name, isActive }) =>
      `${email.padEnd(width)}  ${role.padEnd(6)}  ${name}${isActive ? '' : '  (deactivated)'}`,
  )
  return `${lines.join('\n')}\n`
}
