import type { ConfirmTotpInput, RemoveTotpInput, TotpConfirmed, TotpEnrolment } from '@stoa/cms-model/two-factor.ts'
import { newRecoveryCodes, newTotpSecret, totpUri, verifyTotp } from '@stoa/kit/crypto/totp.ts'
import type { CmsTx, Ctx } from '../../context.ts'
import { fail, failFields } from '../../errors.ts'
import { sessionOf } from '../../principal.ts'
import { noteTwoFactor } from '../accounts/accounts.ts'
import { lockMe, lockOwnAccount, proveOwnPassword } from '../accounts/reauth.ts'
import { endOtherSessions } from '../accounts/sessions.ts'
import { type Guess, limitCodes } from '../login-limit/login-limit.ts'
import { deleteTwoFactor, insertRecoveryCodes, lockTwoFactor, replaceTwoFactor, updateLastStep } from './queries.ts'
import { hashRecoveryCode, openSecret, sealSecret, spendCode } from './second-factor.ts'

/** A secret that was shown and never confirmed is worth nothing after this. */
export const ENROLMENT_MS = 15 * 60_000

/** Begins two-factor sign-in: nothing changes at sign-in before `confirmTotp`. An earlier beginning is replaced. */
export const beginTotp = async (ctx: Ctx): Promise<TotpEnrolment> => {
  const { account } = sessionOf(ctx)
  const secret = newTotpSecret()
  await ctx.tx(async (tx) => {
    await refuseEnabled(ctx, tx)
    const sealedSecret = sealSecret(ctx, account.id, secret)
    await replaceTwoFactor(tx, { accountId: account.id, sealedSecret, startedAt: ctx.now() })
  })
  const issuer = new URL(ctx.config.publicUrl).host
  return { secret: secret.reveal(), uri: totpUri({ secret, issuer, account: account.email }) }
}

/** Switches two-factor sign-in on with the first code of the app. Sessions that were opened without one end. */
export const confirmTotp = async (ctx: Ctx, { code }: ConfirmTotpInput): Promise<TotpConfirmed> => {
  const { account } = sessionOf(ctx)
  const recoveryCodes = newRecoveryCodes()
  const guess = await limitCodes(ctx, { accountId: account.id, purpose: 'reauth' }, () =>
    ctx.tx(async (tx): Promise<Guess<undefined>> => {
      await refuseEnabled(ctx, tx)
      const step = await firstStep(ctx, tx, code)
      if (step === null) return { isRight: false, code: 'VALIDATION_FAILED' }
      // The same code does not sign in any more.
      await updateLastStep(tx, account.id, step)
      const hashes = recoveryCodes.map((recoveryCode) => hashRecoveryCode(ctx, recoveryCode))
      await insertRecoveryCodes(tx, account.id, hashes)
      await noteTwoFactor(ctx, tx, true)
      await endOtherSessions(ctx, tx)
      return { isRight: true, value: undefined }
    }),
  )
  if (!guess.isRight) return failFields([{ key: 'code', message: 'is not the code that the app shows now' }])
  ctx.log.info({ accountId: account.id }, 'two-factor sign-in switched on')
  return { recoveryCodes }
}

/** Switches two-factor sign-in off: with the password and a code, so that a stolen session cannot. */
export const removeTotp = async (ctx: Ctx, { password, code }: RemoveTotpInput): Promise<void> => {
  const { account } = sessionOf(ctx)
  if (!account.hasTotp) return refuseDisabled()
  const proven = await proveOwnPassword(ctx, password)
  const guess = await limitCodes(ctx, { accountId: account.id, purpose: 'reauth' }, () =>
    ctx.tx(async (tx): Promise<Guess<undefined>> => {
      if (!(await lockOwnAccount(ctx, tx, proven)).hasTotp) return refuseDisabled()
      if (!(await spendCode(ctx, tx, account.id, code))) return { isRight: false, code: 'REAUTH_REQUIRED' }
      await deleteTwoFactor(tx, account.id)
      await noteTwoFactor(ctx, tx, false)
      return { isRight: true, value: undefined }
    }),
  )
  if (!guess.isRight) return fail(guess.code, { message: 'The code is wrong, or was used already' })
  ctx.log.info({ accountId: account.id }, 'two-factor sign-in switched off')
}

/** The step of the code, for a secret that was given out a short while ago. */
const firstStep = async (ctx: Ctx, tx: CmsTx, code: string): Promise<number | null> => {
  const { account } = sessionOf(ctx)
  const held = await lockTwoFactor(tx, account.id)
  const isOpen = held !== null && ctx.now().getTime() - held.startedAt.getTime() < ENROLMENT_MS
  const secret = isOpen ? openSecret(ctx, account.id, held.sealedSecret) : null
  if (secret === null)
    return fail('INVALID_STATE', { message: 'Two-factor sign-in was not begun, or longer than 15 minutes ago' })
  return verifyTotp({ secret, code, now: ctx.now(), lastStep: null })
}

const refuseEnabled = async (ctx: Ctx, tx: CmsTx): Promise<void> => {
  const { hasTotp } = await lockMe(ctx, tx)
  if (hasTotp) fail('INVALID_STATE', { message: 'Two-factor sign-in is on already: switch it off first' })
}

const refuseDisabled = (): never => fail('INVALID_STATE', { message: 'Two-factor sign-in is off' })
