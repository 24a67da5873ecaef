import type { MailboxAccess } from '../../hosting/shares/shares.ts'
import type { SignIn } from '../../principal.ts'
import type { AccessCache } from './access-cache.ts'
import { type Args, failMethod } from './method.ts'
import { failArgument } from './standard/arguments.ts'

/** The accounts of a request: read once, used by all of its calls. */
export type Accounts = {
  all(): Promise<readonly MailboxAccess[]>
  /** The account that an argument names; accountNotFound or accountReadOnly. */
  named(args: Args, wants?: 'write' | 'manage'): Promise<MailboxAccess>
  find(accountId: string): Promise<MailboxAccess | null>
}

export const openAccounts = (accesses: AccessCache, { address }: SignIn): Accounts => {
  let known: Promise<readonly MailboxAccess[]> | undefined
  const all = () => {
    known ??= accesses.of(address)
    return known
  }
  const find = async (accountId: string) => (await all()).find(({ addressId }) => addressId === accountId) ?? null
  return {
    all,
    find,
    async named({ accountId }, wants) {
      if (typeof accountId !== 'string') return failArgument('accountId', 'is required and must be an id')
      const access = (await find(accountId)) ?? failMethod('accountNotFound', 'The account does not exist.')
      const isRefused = (wants === 'write' && !access.mayWrite) || (wants === 'manage' && !access.mayManage)
      return isRefused ? failMethod('accountReadOnly', 'This account is read-only.') : access
    },
  }
}
