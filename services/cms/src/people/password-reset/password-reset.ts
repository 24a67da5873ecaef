import type { ResetInput } from '@stoa/cms-model/accounts.ts'
import { hashToken, newToken } from '@stoa/kit/crypto/tokens.ts'
import type { Incoming } from '@stoa/kit/http/incoming.ts'
import { defineJob } from '@stoa/kit/jobs/define.ts'
import { takeLimits } from '@stoa/kit/limits/limits.ts'
import { z } from 'zod'
import type { Ctx } from '../../context.ts'
import { failFields } from '../../errors.ts'
import type { SystemPrincipal } from '../../principal.ts'
import {
  findAccountByEmail,
  hashNewPassword,
  lockAccounts,
  recordUserChange,
  revokeAllSessions,
  updateAccount,
} from '../accounts/accounts.ts'
import { linkTo, MailError, siteName } from '../mailer/mailer.ts'
import { limitTokens } from '../sign-in-limit/sign-in-limit.ts'
import { deleteResetsOf, findReset, insertReset } from './queries.ts'

const MINUTE_MS = 60_000
const LIFE_MINUTES = 60
/** Mails that an hour may bring to one address, and links that one client may ask for. */
const MAX_PER_ADDRESS = 3
const MAX_PER_CLIENT = 20
const WINDOW_MS = 60 * MINUTE_MS

/** The token is made by the worker of the job, so that none is ever stored in readable form. */
export const mailReset = defineJob({
  name: 'people.reset-mail',
  data: z.object({ email: z.string(), askedAt: z.iso.datetime() }),
  // Somebody waits for it.
  retryDelaySeconds: 2,
  expireInSeconds: 60,
})

/**
 * Mails a link to the person with this address. The response doesn't reveal whether there is one: everything that
 * depends on it happens in a job.
 */
export const requestReset = async (ctx: Ctx, email: string, { limitKey }: Incoming): Promise<void> => {
  if (ctx.mailer === null) return
  const limits = [
    { key: `reset of ${email.toLowerCase()}`, max: MAX_PER_ADDRESS, windowMs: WINDOW_MS },
    { key: `reset by ${limitKey}`, max: MAX_PER_CLIENT, windowMs: WINDOW_MS },
  ]
  const { allowed } = await ctx.tx((tx) => takeLimits(tx, limits, ctx.now()))
  if (!allowed) return
  await ctx.tx((tx) => ctx.jobs.enqueue(tx, mailReset, { email, askedAt: ctx.now().toISOString() }))
}

/** The job: a link to the account with this address, if there is one. A mail that nobody waits for any more is not sent. */
export const sendReset = async (ctx: Ctx, { email, askedAt }: z.output<typeof mailReset.data>): Promise<void> => {
  const isLate = ctx.now().getTime() - Date.parse(askedAt) > LIFE_MINUTES * MINUTE_MS
  const account = await findAccountByEmail(ctx.db, email)
  if (ctx.mailer === null || isLate || account === null) return
  const token = newToken()
  const expiresAt = new Date(ctx.now().getTime() + LIFE_MINUTES * MINUTE_MS)
  await ctx.tx((tx) => insertReset(tx, { tokenHash: hashToken(token), accountId: account.id, expiresAt }))
  const site = await siteName(ctx)
  const text = [
    `Hello ${account.name},`,
    `Someone asked for a new password for your account on ${site}. Choose it here:`,
    linkTo(ctx, 'reset-password', token),
    `The link works once, for ${LIFE_MINUTES} minutes. If it wasn't you, ignore this email: your password stays as it is.`,
  ].join('\n\n')
  try {
    await ctx.mailer.send({ to: account.email, subject: `Reset your password for ${site}`, text })
  } catch (error) {
    if (!(error instanceof MailError && error.isFinal)) throw error
    ctx.log.warn({ err: error, accountId: account.id }, 'a link for a new password was not mailed')
  }
}

/** Sets a password by a mailed link. All sessions end; the second factor stays. */
export const resetPassword = async (
  ctx: Ctx,
  { token, password }: ResetInput,
  { limitKey, ip }: Incoming,
): Promise<void> => {
  const tokenHash = hashToken(token)
  const guess = await limitTokens<true>(ctx, limitKey, async () => {
    const accountId = await findReset(ctx.db, { tokenHash, now: ctx.now() })
    return accountId === null ? { isRight: false, code: 'VALIDATION_FAILED' } : { isRight: true, value: true }
  })
  if (!guess.isRight) refuseToken()
  const passwordHash = await hashNewPassword('password', password)
  const accountId = await ctx.tx(async (tx) => {
    await lockAccounts(tx)
    const id = (await findReset(tx, { tokenHash, now: ctx.now() })) ?? refuseToken()
    const account = await updateAccount(tx, id, { passwordHash }, { at: ctx.now(), by: null })
    await deleteResetsOf(tx, id)
    await revokeAllSessions(tx, id, ctx.now())
    await recordUserChange({ ...ctx, principal: BY_MAIL }, tx, 'user.password.changed', account)
    return id
  })
  ctx.log.info({ accountId, ip }, 'password reset by mail')
}

/** The person who followed the link, as Activity names them. */
const BY_MAIL: SystemPrincipal = { kind: 'system', name: 'password reset' }

const refuseToken = (): never =>
  failFields([{ key: 'token', message: 'was already used or has expired; request a new link' }])
