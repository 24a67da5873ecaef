import type { CookieOptions } from '@stoa/kit/http/cookies.ts'
import type { Incoming } from '@stoa/kit/http/incoming.ts'
import type { Mailbox, mailboxLoginInput } from '@stoa/mail-model/webmail.ts'
import type { z } from 'zod'
import type { Ctx } from '../../../context.ts'
import { fail } from '../../../errors.ts'
import { limitedError, openWebmailSession } from '../../../hosting/access/access.ts'
import { findAddress } from '../../../hosting/addresses/addresses.ts'
import { mailboxOf, type SignedInAddress } from '../../../principal.ts'
import { countPendingSubmissions } from '../../../sending/submission/submission.ts'
import { usedBytes } from '../../../store/store.ts'

/** Opens a session with the mailbox password: one answer, whether the address is unknown or the password is wrong. */
export const signInToMailbox = async (
  ctx: Ctx,
  { email, password }: z.output<typeof mailboxLoginInput>,
  request: Pick<Incoming, 'ip' | 'userAgent'>,
): Promise<{ mailbox: Mailbox; cookie: CookieOptions }> => {
  const answer = await ctx.parts.credentials.check({ email, password, scope: 'webmail', ip: request.ip })
  if (!answer.ok && answer.reason === 'limited') throw limitedError(answer.retryAfterSeconds)
  if (!answer.ok) return fail('unauthorized', { message: 'Wrong email address or password.' })
  const { cookie, expiresAt } = await ctx.tx((tx) => openWebmailSession(ctx, tx, answer, request))
  ctx.log.info({ addressId: answer.address.id, ip: request.ip }, 'signed in to webmail')
  return { mailbox: await mailboxJson(ctx, answer.address, expiresAt), cookie }
}

/** The mailbox behind the cookie. */
export const getMailbox = (ctx: Ctx): Promise<Mailbox> => {
  const { signIn, expiresAt } = mailboxOf(ctx)
  return mailboxJson(ctx, signIn.address, expiresAt ?? fail('unauthorized'))
}

const mailboxJson = async (ctx: Ctx, { id, accountId }: SignedInAddress, expiresAt: Date): Promise<Mailbox> => {
  const address = (await findAddress(ctx.db, accountId, id)) ?? fail('unauthorized')
  return {
    object: 'mailbox',
    id,
    email: address.email,
    name: address.name,
    quota_bytes: address.quota_bytes,
    used_bytes: await usedBytes(ctx.db, id),
    scheduled: await countPendingSubmissions(ctx.db, id),
    session_expires_at: expiresAt.toISOString(),
  }
}
