import { verifyPassword } from '@stoa/kit/crypto/password.ts'
import type { passwordInput } from '@stoa/mail-model/accounts.ts'
import type { Mailbox } from '@stoa/mail-model/webmail.ts'
import type { z } from 'zod'
import type { Ctx } from '../../../context.ts'
import { fail, failMember } from '../../../errors.ts'
import { changeAddressPassword, hashAddressPassword, stampOf } from '../../../hosting/addresses/addresses.ts'
import { attemptKey, countReauthAttempt, forgiveAttempts } from '../../../hosting/sign-in-limit/sign-in-limit.ts'
import { mailboxPasswordReset, sendSystemMail } from '../../../hosting/system-mail/system-mail.ts'
import { mailboxOf } from '../../../principal.ts'
import { endOtherSessions } from './sessions.ts'
import { findPasswordHash, lockSessions, updateSessionStamp } from './sessions-queries.ts'
import { getMailbox } from './sign-in.ts'

/** Changes the password of the mailbox. App passwords and all other sessions end; this one goes on. */
export const changeMailboxPassword = async (ctx: Ctx, body: z.output<typeof passwordInput>): Promise<Mailbox> => {
  const { signIn, sessionId } = mailboxOf(ctx)
  const { id: addressId, accountId, email } = signIn.address
  const proven = await proveMailboxPassword(ctx, addressId, body.current_password)
  const passwordHash = await hashAddressPassword(body.password)
  await ctx.tx(async (tx) => {
    const known = await lockSessions(tx, addressId)
    if (known?.passwordHash !== proven)
      fail('conflict', { message: 'The password was changed at the same time. Try again.' })
    await endOtherSessions(ctx, tx)
    const { recovery_email: recovery } = await changeAddressPassword(tx, {
      accountId,
      addressId,
      passwordHash,
      now: ctx.now(),
    })
    if (sessionId !== null)
      await updateSessionStamp(tx, { addressId, id: sessionId, passwordStamp: stampOf(passwordHash) })
    if (recovery !== null)
      await sendSystemMail(ctx.parts, tx, { to: recovery, content: mailboxPasswordReset({ email }) })
  })
  ctx.log.info({ addressId }, 'mailbox password changed')
  return getMailbox(ctx)
}

/** Checks the password of the mailbox again, under a limit of its own. Gives the hash that it was checked against. */
const proveMailboxPassword = async (ctx: Ctx, addressId: string, password: string): Promise<string> => {
  const key = attemptKey('mailbox', addressId)
  await countReauthAttempt(ctx, key)
  const passwordHash = (await findPasswordHash(ctx.db, addressId)) ?? fail('unauthorized')
  const { ok } = await verifyPassword(password, passwordHash)
  if (!ok) return failMember('current_password', 'wrong password')
  await ctx.tx((tx) => forgiveAttempts(tx, key))
  return passwordHash
}
