import { hashPassword } from '@stoa/kit/crypto/password.ts'
import type { resetInput } from '@stoa/mail-model/accounts.ts'
import { parseEmail } from '@stoa/mail-model/email.ts'
import type { z } from 'zod'
import type { Ctx } from '../../context.ts'
import {
  notifyAccount,
  passwordChanged,
  resetPassword as resetPasswordMail,
  sendSystemMail,
} from '../../hosting/system-mail/system-mail.ts'
import { inConstantTime } from './constant-time.ts'
import { checkToken, deleteTokens, failToken, issueToken, linkTo, mayMail, redeemToken } from './links.ts'
import { refuseCommonPassword } from './passwords.ts'
import { deleteAllSessions, lockWholeAccount, updateAccount } from './profile-queries.ts'
import { findCredentialsByEmail } from './queries.ts'

/** Mails a link to a person who forgot their password. Nothing reveals whether there is such an account. */
export const requestReset = (ctx: Ctx, given: { email: string }): Promise<void> =>
  inConstantTime(() =>
    ctx.tx(async (tx) => {
      const email = parseEmail(given.email)
      if (email === null || !(await mayMail(ctx, tx, 'reset', email))) return
      const account = await findCredentialsByEmail(tx, email)
      if (!account) return
      const token = await issueToken(ctx, tx, { accountId: account.id, purpose: 'reset', email })
      const content = resetPasswordMail({ url: linkTo(ctx, 'reset', token) })
      await sendSystemMail(ctx.parts, tx, { to: email, content })
      ctx.log.info({ accountId: account.id }, 'password reset requested')
    }),
  )

/** Sets a new password with the link; every session ends, and the second factor stays. */
export const resetPassword = async (ctx: Ctx, input: z.output<typeof resetInput>): Promise<void> => {
  refuseCommonPassword(input.password)
  const given = { token: input.token, purposes: ['reset'] } as const
  await checkToken(ctx, given)
  const passwordHash = await hashPassword(input.password)
  const accountId = await ctx.tx(async (tx) => {
    const { account_id, email } = await redeemToken(ctx, tx, given)
    const account = (await lockWholeAccount(tx, account_id)) ?? failToken()
    if (account.email !== email) failToken()
    const now = ctx.now()
    await updateAccount(tx, account.id, {
      password_hash: passwordHash,
      // The link proves the address, and what a thief began with the old password ends here.
      email_verified_at: account.emailVerifiedAt ?? now,
      pending_email: null,
      updated_at: now,
    })
    await deleteTokens(tx, account.id, ['verify', 'email_change'])
    await deleteAllSessions(tx, account.id)
    const content = passwordChanged({ forgotUrl: `${ctx.config.publicUrl}/forgot` })
    await notifyAccount(ctx.parts, tx, { accountId: account.id, about: 'security', content })
    return account.id
  })
  ctx.log.info({ accountId }, 'password reset')
}
