import { hashPassword, verifyPassword } from '@stoa/kit/crypto/password.ts'
import { newKey } from '@stoa/kit/crypto/tokens.ts'
import type { Tx } from '@stoa/kit/db/database.ts'
import type { CookieOptions } from '@stoa/kit/http/cookies.ts'
import type { Incoming } from '@stoa/kit/http/incoming.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { loginInput, passwordInput, SignupStatus, signupInput } from '@stoa/mail-model/accounts.ts'
import { parseEmail } from '@stoa/mail-model/email.ts'
import type { z } from 'zod'
import type { Ctx } from '../../context.ts'
import { fail, failMember } from '../../errors.ts'
import { openSession } from '../../hosting/access/access.ts'
import { startingPlan } from '../../hosting/plans/plans.ts'
import {
  attemptKey,
  codeKey,
  countCodeAttempt,
  countPasswordAttempt,
  forgiveAttempts,
} from '../../hosting/sign-in-limit/sign-in-limit.ts'
import { notifyAccount, passwordChanged } from '../../hosting/system-mail/system-mail.ts'
import { type Account, sessionOf } from '../../principal.ts'
import type { Tables } from '../../tables.ts'
import { signupsOf } from '../instance/instance.ts'
import { deleteTokens } from './links.ts'
import { refuseCommonPassword } from './passwords.ts'
import {
  deleteOtherSessions,
  findAccountIdByReferralCode,
  findCredentialsByEmail,
  hasAccounts,
  insertAccount,
  isEmailTaken,
  lockFirstAccount,
  lockFurtherAccount,
  updateLastLogin,
  updatePassword,
} from './queries.ts'
import { failMissing, proveOwnPassword } from './reauth.ts'
import { spendCode } from './second-factor.ts'
import { failTaken, mailVerification } from './verification.ts'

export { inConstantTime } from './constant-time.ts'
export { failToken, linkTo, mayMail } from './links.ts'
export { endSignIn } from './operator.ts'
export { lockWholeAccount } from './profile-queries.ts'
export { proveOwnPassword } from './reauth.ts'
export { userJson } from './schema.ts'

/** An account and the cookie of its new session. */
export type SignedIn = { account: Account; cookie: CookieOptions }

const REFERRAL_CODE_CHARACTERS = 10

export const getSignupStatus = async (ctx: Ctx): Promise<SignupStatus> => {
  const isFirst = !(await hasAccounts(ctx.db))
  const isOpen = isFirst || (await signupsOf(ctx.db, ctx.config)) === 'open'
  return { object: 'signup_status', open: isOpen, first_account: isFirst, reason: isOpen ? null : 'closed' }
}

/** Before the body is looked at: a closed instance has nothing to say about it. */
export const refuseClosedSignup = async (ctx: Ctx): Promise<undefined> => {
  if (!(await getSignupStatus(ctx)).open) failClosed()
}

export const signUp = async (
  ctx: Ctx,
  input: z.output<typeof signupInput>,
  request: Pick<Incoming, 'ip' | 'userAgent'>,
): Promise<SignedIn> => {
  refuseCommonPassword(input.password)
  const referredBy = await findReferrer(ctx, input.referral_code)
  if (await isEmailTaken(ctx.db, input.email)) failTaken()
  const passwordHash = await hashPassword(input.password)
  const signedUp = await ctx.tx(async (tx) => {
    const isFirst = await claimFirstAccount(tx)
    if (!isFirst && (await signupsOf(tx, ctx.config)) === 'closed') failClosed()
    const now = ctx.now()
    const role = isFirst ? 'owner' : 'member'
    const account = await insertAccount(tx, {
      id: newId(),
      email: input.email,
      password_hash: passwordHash,
      name: input.name,
      role,
      plan: startingPlan({ billing: ctx.config.billing, role }),
      referral_code: newKey('', REFERRAL_CODE_CHARACTERS),
      referred_by: referredBy,
      created_at: now,
      updated_at: now,
      last_login_at: now,
    })
    await mailVerification(ctx, tx, account)
    return { account, cookie: await openSession(ctx, tx, account.id, request) }
  })
  ctx.log.info({ accountId: signedUp.account.id, ip: request.ip }, 'account created')
  return signedUp
}

/** One answer and the same work, whether the address is unknown or the password is wrong. */
export const signIn = async (
  ctx: Ctx,
  input: z.output<typeof loginInput>,
  request: Pick<Incoming, 'ip' | 'userAgent' | 'limitKey'>,
): Promise<SignedIn> => {
  const email = parseEmail(input.email) ?? ''
  const key = attemptKey('sign-in', request.limitKey, email)
  await countPasswordAttempt(ctx, key)
  const credentials = await findCredentialsByEmail(ctx.db, email)
  const { ok, rehash } = await verifyPassword(input.password, credentials?.passwordHash ?? null)
  if (!ok || !credentials) {
    ctx.log.warn({ accountId: credentials?.id, ip: request.ip }, 'sign-in refused')
    return failSignIn()
  }
  if (credentials.hasTotp) await announceSignInCode(ctx, credentials.id, input.totp_code)
  const passwordHash = rehash ? await hashPassword(input.password) : credentials.passwordHash
  const signedIn = await ctx.tx(async (tx) => {
    const account = (await updateLastLogin(tx, credentials, { now: ctx.now(), passwordHash })) ?? failSignIn()
    await takeSignInCode(ctx, tx, account, input.totp_code)
    await forgiveAttempts(tx, key)
    return { account, cookie: await openSession(ctx, tx, account.id, request) }
  })
  ctx.log.info({ accountId: signedIn.account.id, ip: request.ip }, 'signed in')
  return signedIn
}

/**
 * Changes the password. Every other session ends, also one that signs in with the old password right now, and so does a
 * change of the e-mail address that is under way.
 */
export const changePassword = async (ctx: Ctx, input: z.output<typeof passwordInput>): Promise<Account> => {
  refuseCommonPassword(input.password)
  const { account, sessionId } = sessionOf(ctx)
  const { credentials } = await proveOwnPassword(ctx, input.current_password, 'current_password')
  const passwordHash = await hashPassword(input.password)
  const changed = await ctx.tx(async (tx) => {
    const now = ctx.now()
    const updated = await updatePassword(tx, credentials, { now, passwordHash })
    if (!updated) return fail('conflict', { message: 'The password was changed at the same time. Try again.' })
    await deleteOtherSessions(tx, account.id, { id: sessionId, now })
    // Links requested before are void; a thief's change of the address ends with the password they knew.
    await deleteTokens(tx, account.id, ['reset', 'email_change'])
    const content = passwordChanged({ forgotUrl: `${ctx.config.publicUrl}/forgot` })
    await notifyAccount(ctx.parts, tx, { accountId: account.id, about: 'security', content })
    return updated
  })
  ctx.log.info({ accountId: account.id }, 'password changed')
  return changed
}

const failClosed = (): never => fail('forbidden', { message: 'Sign-ups are closed.' })
const failSignIn = (): never => fail('unauthorized', { message: 'Wrong email address or password.' })

/** After the right password: 422 without a code, and every code counts before it is looked at. */
const announceSignInCode = async (ctx: Ctx, accountId: string, code: string | undefined): Promise<void> => {
  if (code === undefined) failMissing('totp_code')
  await countCodeAttempt(ctx, accountId, 'sign-in')
}

/** A wrong code has the answer of a wrong password. */
const takeSignInCode = async (ctx: Ctx, tx: Tx<Tables>, account: Account, code: string | undefined): Promise<void> => {
  if (account.totpEnabledAt === null) return
  if (code === undefined) return failMissing('totp_code')
  if ((await spendCode(ctx, tx, account.id, code)) !== null) return forgiveAttempts(tx, codeKey(account.id, 'sign-in'))
  ctx.log.warn({ accountId: account.id }, 'sign-in refused: wrong code')
  failSignIn()
}

const findReferrer = async (ctx: Ctx, code: string | null | undefined): Promise<string | null> => {
  if (!code) return null
  return (await findAccountIdByReferralCode(ctx.db, code)) ?? failMember('referral_code', "this code doesn't exist")
}

/** True for exactly one transaction: those that race for an empty instance wait for each other here. */
const claimFirstAccount = async (tx: Tx<Tables>): Promise<boolean> => {
  if (!(await hasAccounts(tx))) {
    await lockFirstAccount(tx)
    return !(await hasAccounts(tx))
  }
  // The owner may be on the point of leaving as the only one: then nobody would own the instance.
  await lockFurtherAccount(tx)
  if (!(await hasAccounts(tx))) fail('conflict', { message: 'The only account was just deleted. Try again.' })
  return false
}
