import { hashPassword } from '@stoa/kit/crypto/password.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import type { CmsDb } from '../context.ts'
import type { Account } from '../principal.ts'
import type { Tables } from '../tables.ts'
import { findAccountByEmail, listAllAccounts, lockAccounts, revokeAllSessions, updateAccount } from './queries.ts'

/** Sets a password from the host, without the old one; all sessions of that person end. Null when there is nobody. */
export const resetPassword = async (
  database: Database<Tables>,
  { email, password, now }: { email: string; password: string; now: Date },
): Promise<Account | null> => {
  const passwordHash = await hashPassword(password)
  return database.tx(async (tx) => {
    await lockAccounts(tx)
    const found = await findAccountByEmail(tx, email.trim())
    if (!found) return null
    const account = await updateAccount(tx, found.id, { passwordHash }, { at: now, by: null })
    await revokeAllSessions(tx, found.id, now)
    return account
  })
}

/** Every account on a line of its own, for whoever sits at the machine. */
export const describeAccounts = async (db: CmsDb): Promise<string> => {
  const accounts = await listAllAccounts(db)
  if (accounts.length === 0) return 'There is no account yet: the first visit claims the site.\n'
  const width = Math.max(...accounts.map(({ email }) => email.length))
  const lines = accounts.map(
    ({ email, role, name, isActive }) =>
      `${email.padEnd(width)}  ${role.padEnd(6)}  ${name}${isActive ? '' : '  (deactivated)'}`,
  )
  return `${lines.join('\n')}\n`
}
