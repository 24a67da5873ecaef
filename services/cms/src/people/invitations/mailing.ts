import { INVITATION_DAYS } from '@stoa/cms-model/invitations.ts'
import { takeLimits } from '@stoa/kit/limits/limits.ts'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { sessionOf } from '../../principal.ts'
import { siteName } from '../mailer/mailer.ts'

/** Mails of invitations in an hour: to one address, and of one inviter. An admin must not become a source of spam. */
const MAX_TO_ADDRESS = 5
const MAX_OF_INVITER = 100
const WINDOW_MS = 3_600_000

/** Counts a mail that is about to be sent, or refuses. Without a mail server there is nothing to count. */
export const countMail = async (ctx: Ctx, email: string): Promise<void> => {
  if (ctx.mailer === null) return
  const limits = [
    { key: `invitation to ${email.toLowerCase()}`, max: MAX_TO_ADDRESS, windowMs: WINDOW_MS },
    { key: `invitation by ${sessionOf(ctx).account.id}`, max: MAX_OF_INVITER, windowMs: WINDOW_MS },
  ]
  const { allowed, retryAfterSeconds } = await ctx.tx((tx) => takeLimits(tx, limits, ctx.now()))
  if (!allowed)
    fail('RATE_LIMITED', {
      message: 'Too many invitations were sent; try again later',
      headers: { 'retry-after': String(retryAfterSeconds) },
      details: { retryAfter: retryAfterSeconds },
    })
}

/** Whether the mail with the link was handed over. A mail server that is away is no reason to refuse the invitation. */
export const mailInvitation = async (
  ctx: Ctx,
  { email, name, url }: { email: string; name: string | null; url: string },
): Promise<boolean> => {
  if (ctx.mailer === null) return false
  const site = await siteName(ctx)
  const { name: inviter } = sessionOf(ctx).account
  try {
    await ctx.mailer.send({
      to: email,
      subject: `${inviter} invited you to ${site}`,
      text: [
        name === null ? 'Hello,' : `Hello ${name},`,
        `${inviter} invited you to work on ${site}. Choose your name and password here:`,
        url,
        `The link works once, for ${INVITATION_DAYS} days. If you don't know ${inviter}, ignore this email.`,
      ].join('\n\n'),
    })
    return true
  } catch (error) {
    ctx.log.warn({ err: error }, 'an invitation was not mailed')
    return false
  }
}
