import type { CmsTx, Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { type Account, sessionOf } from '../../principal.ts'
import { limitReauths } from '../sign-in-limit/sign-in-limit.ts'
import { lockAccount } from './queries.ts'
import { provePassword } from './sessions.ts'

export type ProvenPassword = { passwordHash: string }

/** Refuses with REAUTH_REQUIRED unless this is one's own password. Gives what `lockOwnAccount` compares. */
export const proveOwnPassword = async (ctx: Ctx, password: string): Promise<ProvenPassword> => {
  const { account } = sessionOf(ctx)
  const guess = await limitReauths(ctx, account.id, async () => {
    const proven = await provePassword(ctx, account.email, password)
    return proven ? { isRight: true, value: proven } : { isRight: false, code: 'REAUTH_REQUIRED' }
  })
  if (!guess.isRight) return fail(guess.code, { message: 'The current password is wrong' })
  return { passwordHash: guess.value.passwordHash }
}

/** One's own account as it now is, unchanged until the transaction ends, while the proven password still holds. */
export const lockOwnAccount = async (ctx: Ctx, tx: CmsTx, proven: ProvenPassword): Promise<Account> => {
  const locked = await lockAccount(tx, sessionOf(ctx).account.id)
  if (locked?.passwordHash !== proven.passwordHash) return fail('REAUTH_REQUIRED')
  const { passwordHash: _, ...account } = locked
  return account
}

/** One's own account as it now is, unchanged until the transaction ends. */
export const lockMe = async (ctx: Ctx, tx: CmsTx): Promise<Account> => {
  const { passwordHash: _, ...account } = (await lockAccount(tx, sessionOf(ctx).account.id)) ?? fail('TOKEN_REVOKED')
  return account
}
