import type { Incoming } from '@stoa/kit/http/incoming.ts'
import type { passwordInput } from '@stoa/mail-model/accounts.ts'
import type { Mailbox } from '@stoa/mail-model/webmail.ts'
import type { z } from 'zod'
import { limitedError, mailboxOf } from '../access/access.ts'
import { stampOf } from '../addresses/credentials.ts'
import { changeAddressPassword, hashAddressPassword } from '../addresses/operations.ts'
import type { Ctx } from '../context.ts'
import { fail, failMember } from '../errors.ts'
import { sendSystemMail } from '../system-mail/system-mail.ts'
import { mailboxPasswordReset } from '../system-mail/templates/mailbox-password-reset.ts'
import { endOtherSessions } from './sessions.ts'
import { lockSessions, updateSessionStamp } from './sessions-queries.ts'
import { getMailbox } from './sign-in.ts'

/** Changes the password of the mailbox. App passwords and all other sessions end; this one goes on. */
export const changeMailboxPassword = async (
  ctx: Ctx,
  body: z.output<typeof passwordInput>,
  request: Pick<Incoming, 'ip'>,
): Promise<Mailbox> => {
  const { signIn, sessionId } = mailboxOf(ctx)
  const { id: addressId, accountId, email } = signIn.address
  const attempt = { email, password: body.current_password, scope: 'webmail', ip: request.ip } as const
  const answer = await ctx.parts.credentials.check(attempt)
  if (!answer.ok && answer.reason === 'limited') throw limitedError(answer.retryAfterSeconds)
  if (!answer.ok || answer.appPasswordId !== null) return failMember('current_password', 'it is not the password')
  const passwordHash = await hashAddressPassword(body.password)
  await ctx.tx(async (tx) => {
    const known = await lockSessions(tx, addressId)
    if (!known || stampOf(known.passwordHash) !== answer.passwordStamp)
      fail('conflict', { message: 'The password was changed at the same moment.' })
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
      await sendSystemMail(ctx.parts, tx, { to: recovery, letter: mailboxPasswordReset({ email }) })
  })
  ctx.log.info({ addressId }, 'mailbox password changed')
  return getMailbox(ctx)
}
