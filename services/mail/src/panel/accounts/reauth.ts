import { verifyPassword } from '@stoa/kit/crypto/password.ts'
import type { Tx } from '@stoa/kit/db/database.ts'
import type { Ctx } from '../../context.ts'
import { fail, failMember } from '../../errors.ts'
import {
  attemptKey,
  codeKey,
  countCodeAttempt,
  countReauthAttempt,
  forgiveAttempts,
} from '../../hosting/sign-in-limit/sign-in-limit.ts'
import { type Account, sessionOf } from '../../principal.ts'
import type { Tables } from '../../tables.ts'
import { lockWholeAccount } from './profile-queries.ts'
import { type Credentials, findCredentials } from './queries.ts'
import { spendCode } from './second-factor.ts'

/** The password that a session's owner gave once more, as it was when it was checked. */
export type Proof = { credentials: Credentials }

/** Checks the own password again: a session alone must not be enough for what cannot be undone. */
export const proveOwnPassword = async (ctx: Ctx, password: string, member = 'password'): Promise<Proof> => {
  const { account } = sessionOf(ctx)
  const key = attemptKey('account', account.id)
  await countReauthAttempt(ctx, key)
  const credentials = (await findCredentials(ctx.db, account.id)) ?? fail('unauthorized')
  const { ok } = await verifyPassword(password, credentials.passwordHash)
  if (!ok) failMember(member, 'wrong password')
  await ctx.tx((tx) => forgiveAttempts(tx, key))
  return { credentials }
}

/** Counts a code that is about to be looked at; 422 when one is needed and there is none. */
export const announceCode = async (ctx: Ctx, code: string | undefined): Promise<void> => {
  const { account } = sessionOf(ctx)
  if (account.totpEnabledAt === null) return
  if (code === undefined) failMissing('totp_code')
  await countCodeAttempt(ctx, account.id, 'reauth')
}

/**
 * The own account, locked, with the password that was proven; takes the code of accounts with two-factor authentication.
 */
export const lockProven = async (
  ctx: Ctx,
  tx: Tx<Tables>,
  { proof, code, member = 'totp_code' }: { proof: Proof; code?: string | undefined; member?: string },
): Promise<Account> => {
  const { id, passwordHash } = proof.credentials
  const account = (await lockWholeAccount(tx, id)) ?? fail('unauthorized')
  const now = await findCredentials(tx, id)
  if (now?.passwordHash !== passwordHash)
    fail('conflict', { message: 'The password was changed at the same time. Try again.' })
  if (account.totpEnabledAt !== null) {
    if (code === undefined) return failMissing(member)
    if ((await spendCode(ctx, tx, id, code)) === null) failMember(member, 'wrong or already used')
    await forgiveAttempts(tx, codeKey(id, 'reauth'))
  }
  return account
}

export const failMissing = (member: string): never =>
  fail('missing_required_field', { message: `Missing \`${member}\` field.` })
