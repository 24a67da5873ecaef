import { newRecoveryCodes, newTotpSecret, totpUri, verifyTotp } from '@stoa/kit/crypto/totp.ts'
import type { Tx } from '@stoa/kit/db/database.ts'
import type { TotpEnabled, TotpSetup } from '@stoa/mail-model/accounts.ts'
import { qrSvg } from '@stoa/qr/picture.ts'
import type { Ctx } from '../../context.ts'
import { fail, failMember } from '../../errors.ts'
import { codeKey, countCodeAttempt, forgiveAttempts } from '../../hosting/sign-in-limit/sign-in-limit.ts'
import { notifyAccount, twoFactorChanged } from '../../hosting/system-mail/system-mail.ts'
import { sessionOf } from '../../principal.ts'
import type { Tables } from '../../tables.ts'
import { lockWholeAccount, updateAccount } from './profile-queries.ts'
import { deleteOtherSessions } from './queries.ts'
import { lockProven, proveOwnPassword } from './reauth.ts'
import { hashRecoveryCode, openSecret, sealSecret } from './second-factor.ts'
import {
  deleteTwoFactor,
  lockTwoFactor,
  replaceRecoveryCodes,
  replaceTwoFactor,
  updateLastStep,
} from './second-factor-queries.ts'

/** A secret that was shown and never confirmed is worth nothing after this. */
const ENROLMENT_MS = 15 * 60_000

/** Begins two-factor authentication: nothing changes at sign-in before `enableTotp`. An earlier beginning is replaced. */
export const setUpTotp = async (ctx: Ctx, { password }: { password: string }): Promise<TotpSetup> => {
  const proof = await proveOwnPassword(ctx, password)
  const { account } = sessionOf(ctx)
  if (account.totpEnabledAt !== null) failOn()
  const secret = newTotpSecret()
  const startedAt = ctx.now()
  await ctx.tx(async (tx) => {
    await lockProven(ctx, tx, { proof })
    const sealedSecret = sealSecret(ctx, account.id, secret)
    await replaceTwoFactor(tx, { accountId: account.id, sealedSecret, startedAt })
  })
  const issuer = `Stoa Mail (${new URL(ctx.config.publicUrl).host})`
  const uri = totpUri({ secret, issuer, account: account.email })
  return {
    object: 'totp_setup',
    secret: secret.reveal(),
    otpauth_url: uri,
    qr_svg: qrSvg(uri),
    expires_at: new Date(startedAt.getTime() + ENROLMENT_MS).toISOString(),
  }
}

/** Switches two-factor authentication on with the first code of the app. Sessions that were opened without one end. */
export const enableTotp = async (ctx: Ctx, { code }: { code: string }): Promise<TotpEnabled> => {
  const { account, sessionId } = sessionOf(ctx)
  const { id } = account
  await countCodeAttempt(ctx, id, 'reauth')
  const recoveryCodes = newRecoveryCodes()
  await ctx.tx(async (tx) => {
    const locked = (await lockWholeAccount(tx, id)) ?? fail('unauthorized')
    if (locked.totpEnabledAt !== null) failOn()
    const step =
      (await firstStep(ctx, tx, code)) ?? failMember('code', "the code doesn't match the one in your authenticator app")
    // Records the time step, so that the same code cannot be used to sign in.
    await updateLastStep(tx, id, step)
    const hashes = recoveryCodes.map((recoveryCode) => hashRecoveryCode(ctx, recoveryCode))
    await replaceRecoveryCodes(tx, id, hashes)
    const now = ctx.now()
    await updateAccount(tx, id, { totp_enabled_at: now, updated_at: now })
    await deleteOtherSessions(tx, id, { id: sessionId, now })
    await forgiveAttempts(tx, codeKey(id, 'reauth'))
    await notifyOwner(ctx, tx, true)
  })
  ctx.log.info({ accountId: id }, 'two-factor authentication switched on')
  return { object: 'totp', enabled: true, recovery_codes: recoveryCodes }
}

/** Switches two-factor authentication off: with the password and a code, so that a stolen session cannot. */
export const disableTotp = async (ctx: Ctx, input: { password: string; code: string }): Promise<void> => {
  const { account } = sessionOf(ctx)
  const proof = await proveOwnPassword(ctx, input.password)
  if (account.totpEnabledAt === null) failOff()
  await countCodeAttempt(ctx, account.id, 'reauth')
  await ctx.tx(async (tx) => {
    const locked = await lockProven(ctx, tx, { proof, code: input.code, member: 'code' })
    if (locked.totpEnabledAt === null) failOff()
    await deleteTwoFactor(tx, account.id)
    await updateAccount(tx, account.id, { totp_enabled_at: null, updated_at: ctx.now() })
    await notifyOwner(ctx, tx, false)
  })
  ctx.log.info({ accountId: account.id }, 'two-factor authentication switched off')
}

const notifyOwner = async (ctx: Ctx, tx: Tx<Tables>, isOn: boolean): Promise<void> => {
  const content = twoFactorChanged({ isOn, accountUrl: `${ctx.config.publicUrl}/account` })
  await notifyAccount(ctx.parts, tx, { accountId: sessionOf(ctx).account.id, about: 'security', content })
}

/** The step of the code, for a secret that was given out a short while ago. */
const firstStep = async (ctx: Ctx, tx: Tx<Tables>, code: string): Promise<number | null> => {
  const { account } = sessionOf(ctx)
  const held = await lockTwoFactor(tx, account.id)
  const isOpen = held !== null && ctx.now().getTime() - held.startedAt.getTime() < ENROLMENT_MS
  const secret = isOpen ? openSecret(ctx, account.id, held.sealedSecret) : null
  if (secret === null) return fail('conflict', { message: 'Two-factor setup has expired. Start again.' })
  return verifyTotp({ secret, code, now: ctx.now(), lastStep: null })
}

const failOn = (): never => fail('conflict', { message: 'Two-factor authentication is already on. Turn it off first.' })
const failOff = (): never => fail('conflict', { message: 'Two-factor authentication is off.' })
