import { isCommonPassword } from '@stoa/kit/crypto/common-passwords.ts'
import { hashPassword, verifyPassword } from '@stoa/kit/crypto/password.ts'
import { newKey } from '@stoa/kit/crypto/tokens.ts'
import type { Tx } from '@stoa/kit/db/database.ts'
import type { CookieOptions } from '@stoa/kit/http/cookies.ts'
import type { Incoming } from '@stoa/kit/http/incoming.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { loginInput, passwordInput, SignupStatus, signupInput } from '@stoa/mail-model/accounts.ts'
import { parseEmail } from '@stoa/mail-model/email.ts'
import type { z } from 'zod'
import { type Account, openSession, sessionOf } from '../access/access.ts'
import type { Ctx } from '../context.ts'
import { fail, failMember } from '../errors.ts'
import type { Tables } from '../tables.ts'
import { attemptKey, countPasswordAttempt, forgiveAttempts } from './attempts.ts'
import {
  deleteOtherSessions,
  findAccountIdByReferralCode,
  findCredentials,
  findCredentialsByEmail,
  hasAccounts,
  insertAccount,
  isEmailTaken,
  lockFirstAccount,
  updateLastLogin,
  updatePassword,
} from './queries.ts'

/** An account and the cookie of its new session. */
export type SignedIn = { account: Account; cookie: CookieOptions }

const REFERRAL_CODE_CHARACTERS = 10

export const getSignupStatus = async (ctx: Ctx): Promise<SignupStatus> => {
  const isFirst = !(await hasAccounts(ctx.db))
  const isOpen = isFirst || ctx.config.signups === 'open'
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
    if (!isFirst && ctx.config.signups === 'closed') failClosed()
    const now = ctx.now()
    const account = await insertAccount(tx, {
      id: newId(),
      email: input.email,
      password_hash: passwordHash,
      name: input.name,
      role: isFirst ? 'owner' : 'member',
      referral_code: newKey('', REFERRAL_CODE_CHARACTERS),
      referred_by: referredBy,
      created_at: now,
      updated_at: now,
      last_login_at: now,
    })
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
  const passwordHash = rehash ? await hashPassword(input.password) : credentials.passwordHash
  const signedIn = await ctx.tx(async (tx) => {
    const account = (await updateLastLogin(tx, credentials, { now: ctx.now(), passwordHash })) ?? failSignIn()
    await forgiveAttempts(tx, key)
    return { account, cookie: await openSession(ctx, tx, account.id, request) }
  })
  ctx.log.info({ accountId: signedIn.account.id, ip: request.ip }, 'signed in')
  return signedIn
}

/** Changes the password and ends every other session, also one that signs in with the old password right now. */
export const changePassword = async (ctx: Ctx, input: z.output<typeof passwordInput>): Promise<Account> => {
  refuseCommonPassword(input.password)
  const { account, sessionId } = sessionOf(ctx)
  const key = attemptKey('account', account.id)
  await countPasswordAttempt(ctx, key)
  const credentials = (await findCredentials(ctx.db, account.id)) ?? fail('unauthorized')
  const { ok } = await verifyPassword(input.current_password, credentials.passwordHash)
  if (!ok) failMember('current_password', 'it is not your password')
  const passwordHash = await hashPassword(input.password)
  const changed = await ctx.tx(async (tx) => {
    const now = ctx.now()
    const updated = await updatePassword(tx, credentials, { now, passwordHash })
    if (!updated) return fail('conflict', { message: 'The password was changed at the same moment.' })
    await deleteOtherSessions(tx, account.id, { id: sessionId, now })
    await forgiveAttempts(tx, key)
    return updated
  })
  ctx.log.info({ accountId: account.id }, 'password changed')
  return changed
}

const failClosed = (): never => fail('forbidden', { message: 'This instance does not accept new accounts.' })
const failTaken = (): never => fail('conflict', { message: 'An account with this `email` already exists.' })
const failSignIn = (): never => fail('unauthorized', { message: 'The e-mail address or the password is wrong.' })

const refuseCommonPassword = (password: string): void => {
  if (isCommonPassword(password)) failMember('password', 'it is one of the most common passwords')
}

const findReferrer = async (ctx: Ctx, code: string | null | undefined): Promise<string | null> => {
  if (!code) return null
  return (await findAccountIdByReferralCode(ctx.db, code)) ?? failMember('referral_code', 'it is not known')
}

/** True for exactly one transaction: those that race for an empty instance wait for each other here. */
const claimFirstAccount = async (tx: Tx<Tables>): Promise<boolean> => {
  if (await hasAccounts(tx)) return false
  await lockFirstAccount(tx)
  return !(await hasAccounts(tx))
}
