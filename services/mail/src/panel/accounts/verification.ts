import type { Tx } from '@stoa/kit/db/database.ts'
import { isConflict } from '@stoa/kit/db/errors.ts'
import type { emailChangeInput } from '@stoa/mail-model/accounts.ts'
import type { z } from 'zod'
import type { Ctx } from '../../context.ts'
import { fail, failMember } from '../../errors.ts'
import {
  confirmNewEmail,
  emailChanged,
  emailChangeRequested,
  notifyAccount,
  sendSystemMail,
  verifyEmail,
} from '../../hosting/system-mail/system-mail.ts'
import { type Account, sessionOf } from '../../principal.ts'
import type { Tables } from '../../tables.ts'
import { deleteTokens, failToken, failTooManyMails, issueToken, linkTo, mayMail, redeemToken } from './links.ts'
import { lockWholeAccount, updateAccount } from './profile-queries.ts'
import { isEmailTaken } from './queries.ts'
import { announceCode, lockProven, proveOwnPassword } from './reauth.ts'

/** Mails the link that verifies the account's address; false when too many such mails went there already. */
export const mailVerification = async (
  ctx: Ctx,
  tx: Tx<Tables>,
  { id, email }: Pick<Account, 'id' | 'email'>,
): Promise<boolean> => {
  if (!(await mayMail(ctx, tx, 'verify', email))) return false
  const token = await issueToken(ctx, tx, { accountId: id, purpose: 'verify', email })
  await sendSystemMail(ctx.parts, tx, { to: email, content: verifyEmail({ url: linkTo(ctx, 'verify', token) }) })
  return true
}

/** Mails the link again; false when the address is verified already. */
export const sendVerification = (ctx: Ctx): Promise<boolean> =>
  ctx.tx(async (tx) => {
    const account = (await lockWholeAccount(tx, sessionOf(ctx).account.id)) ?? fail('unauthorized')
    if (account.emailVerifiedAt !== null) return false
    return (await mailVerification(ctx, tx, account)) || failTooManyMails()
  })

/** Redeems the link of a verification or of a change of the address. */
export const verify = async (ctx: Ctx, { token }: { token: string }): Promise<Account> =>
  ctx.tx(async (tx) => {
    const redeemed = await redeemToken(ctx, tx, { token, purposes: ['verify', 'email_change'] })
    const account = (await lockWholeAccount(tx, redeemed.account_id)) ?? failToken()
    if (redeemed.purpose === 'email_change') return takeNewEmail(ctx, tx, account, redeemed.email)
    if (account.email !== redeemed.email) return failToken()
    if (account.emailVerifiedAt !== null) return account
    const now = ctx.now()
    return updateAccount(tx, account.id, { email_verified_at: now, updated_at: now })
  })

/** Asks the new address to confirm that the account may use it, and notifies the old one. */
export const requestEmailChange = async (ctx: Ctx, input: z.output<typeof emailChangeInput>): Promise<Account> => {
  const proof = await proveOwnPassword(ctx, input.password)
  await announceCode(ctx, input.totp_code)
  const { email } = input
  const changed = await ctx.tx(async (tx) => {
    const account = await lockProven(ctx, tx, { proof, code: input.totp_code })
    if (email === account.email) failMember('email', 'this is already your address')
    if (await isEmailTaken(tx, email)) failTaken()
    if (!(await mayMail(ctx, tx, 'email_change', email))) failTooManyMails()
    const token = await issueToken(ctx, tx, { accountId: account.id, purpose: 'email_change', email })
    const content = confirmNewEmail({ url: linkTo(ctx, 'verify', token), oldEmail: account.email })
    await sendSystemMail(ctx.parts, tx, { to: email, content })
    const notice = emailChangeRequested({ newEmail: email, accountUrl: `${ctx.config.publicUrl}/account` })
    await notifyAccount(ctx.parts, tx, { accountId: account.id, about: 'security', content: notice })
    return updateAccount(tx, account.id, { pending_email: email, updated_at: ctx.now() })
  })
  ctx.log.info({ accountId: changed.id }, 'change of the email address requested')
  return changed
}

const takeNewEmail = async (ctx: Ctx, tx: Tx<Tables>, account: Account, email: string): Promise<Account> => {
  if (account.pendingEmail !== email) return failToken()
  // To the old address, so before it is another one.
  const content = emailChanged({ newEmail: email })
  await notifyAccount(ctx.parts, tx, { accountId: account.id, about: 'security', content })
  // Links that went to the old address open nothing any more.
  await deleteTokens(tx, account.id, ['verify', 'reset'])
  const now = ctx.now()
  const change = { email, pending_email: null, email_verified_at: now, updated_at: now }
  const changed = await updateAccount(tx, account.id, change).catch(explainTaken)
  ctx.log.info({ accountId: account.id }, 'email address changed')
  return changed
}

const explainTaken = (error: unknown): never => {
  if (isConflict(error, 'account_email_key')) return failTaken()
  throw error
}

export const failTaken = (): never => fail('conflict', { message: 'An account with this `email` already exists.' })
