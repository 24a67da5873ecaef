import type { ConfirmTotpInput, RemoveTotpInput, TotpConfirmed, TotpEnrolment } from '@stoa/cms-model/two-factor.ts'
import { newRecoveryCodes, newTotpSecret, totpUri } from '@stoa/kit/crypto/totp.ts'
import type { CmsTx, Ctx } from '../../context.ts'
import { fail, failFields } from '../../errors.ts'
import { sessionOf } from '../../principal.ts'
import { endOtherSessions, lockMe, lockOwnAccount, noteTwoFactor, proveOwnPassword } from '../accounts/accounts.ts'
import { type Guess, limitCodes } from '../sign-in-limit/sign-in-limit.ts'
import { beginSecret, forgetTwoFactor, keepRecoveryCodes, spendCode, spendFirstCode } from '../two-factor/two-factor.ts'

/** Begins two-factor authentication: nothing changes at sign-in before `confirmTotp`. An earlier beginning is replaced. */
export const beginTotp = async (ctx: Ctx): Promise<TotpEnrolment> => {
  const { account } = sessionOf(ctx)
  const secret = newTotpSecret()
  await ctx.tx(async (tx) => {
    await refuseEnabled(ctx, tx)
    await beginSecret(ctx, tx, account.id, secret)
  })
  const issuer = `Stoa CMS (${new URL(ctx.config.publicUrl).host})`
  return { secret: secret.reveal(), uri: totpUri({ secret, issuer, account: account.email }) }
}

/** Switches two-factor authentication on with the first code of the app. Sessions that were opened without one end. */
export const confirmTotp = async (ctx: Ctx, { code }: ConfirmTotpInput): Promise<TotpConfirmed> => {
  const { account } = sessionOf(ctx)
  const recoveryCodes = newRecoveryCodes()
  const guess = await limitCodes(ctx, { accountId: account.id, purpose: 'reauth' }, () =>
    ctx.tx(async (tx): Promise<Guess<undefined>> => {
      await refuseEnabled(ctx, tx)
      if (!(await spendFirstCode(ctx, tx, account.id, code))) return { isRight: false, code: 'VALIDATION_FAILED' }
      await keepRecoveryCodes(ctx, tx, account.id, recoveryCodes)
      await noteTwoFactor(ctx, tx, true)
      await endOtherSessions(ctx, tx)
      return { isRight: true, value: undefined }
    }),
  )
  if (!guess.isRight) return failFields([{ key: 'code', message: "isn't the current code" }])
  ctx.log.info({ accountId: account.id }, 'two-factor authentication switched on')
  return { recoveryCodes }
}

/** Switches two-factor authentication off: with the password and a code, so that a stolen session cannot. */
export const removeTotp = async (ctx: Ctx, { password, code }: RemoveTotpInput): Promise<void> => {
  const { account } = sessionOf(ctx)
  if (!account.hasTotp) return refuseDisabled()
  const proven = await proveOwnPassword(ctx, password)
  const guess = await limitCodes(ctx, { accountId: account.id, purpose: 'reauth' }, () =>
    ctx.tx(async (tx): Promise<Guess<undefined>> => {
      if (!(await lockOwnAccount(ctx, tx, proven)).hasTotp) return refuseDisabled()
      if (!(await spendCode(ctx, tx, account.id, code))) return { isRight: false, code: 'REAUTH_REQUIRED' }
      await forgetTwoFactor(tx, account.id)
      await noteTwoFactor(ctx, tx, false)
      return { isRight: true, value: undefined }
    }),
  )
  if (!guess.isRight) return fail(guess.code, { message: 'The code is wrong or was already used' })
  ctx.log.info({ accountId: account.id }, 'two-factor authentication switched off')
}

const refuseEnabled = async (ctx: Ctx, tx: CmsTx): Promise<void> => {
  const { hasTotp } = await lockMe(ctx, tx)
  if (hasTotp) fail('INVALID_STATE', { message: 'Two-factor authentication is already on; turn it off first' })
}

const refuseDisabled = (): never => fail('INVALID_STATE', { message: 'Two-factor authentication is off' })
