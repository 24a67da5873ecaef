import { createSealer, SealError, subKey } from '@stoa/kit/crypto/seal.ts'
import { hmacToken } from '@stoa/kit/crypto/tokens.ts'
import { normaliseRecoveryCode, verifyTotp } from '@stoa/kit/crypto/totp.ts'
import type { Secret } from '@stoa/kit/secret.ts'
import type { CmsTx, Ctx } from '../../context.ts'
import { deleteRecoveryCode, deleteTwoFactor, lockTwoFactor, updateLastStep } from './queries.ts'

/**
 * Takes a code of the authenticator app or a recovery code, each once; false when it is not good. Whoever calls has
 * locked the account and counts wrong codes with `limitCodes`.
 */
export const spendCode = async (ctx: Ctx, tx: CmsTx, accountId: string, code: string): Promise<boolean> => {
  const held = await lockTwoFactor(tx, accountId)
  // An account that asks for a code and has no secret lets nobody in.
  if (!held) return false
  const secret = openSecret(ctx, accountId, held.sealedSecret)
  const step = secret && verifyTotp({ secret, code, now: ctx.now(), lastStep: held.lastStep })
  if (step !== null) {
    await updateLastStep(tx, accountId, step)
    return true
  }
  const recoveryCode = normaliseRecoveryCode(code)
  if (recoveryCode === null) return false
  const isSpent = await deleteRecoveryCode(tx, accountId, hashRecoveryCode(ctx, recoveryCode))
  if (isSpent) ctx.log.warn({ accountId }, 'a recovery code was used')
  return isSpent
}

/** Removes secret and recovery codes; the account says by itself whether a code is asked. */
export const forgetTwoFactor = (tx: CmsTx, accountId: string): Promise<void> => deleteTwoFactor(tx, accountId)

export const sealSecret = (ctx: Ctx, accountId: string, secret: Secret): string => sealerOf(ctx).seal(secret, accountId)

/** Null when it cannot be opened: then no code is good, and whoever runs the machine must help. */
export const openSecret = (ctx: Ctx, accountId: string, sealed: string): Secret | null => {
  try {
    return sealerOf(ctx).open(sealed, accountId)
  } catch (raised) {
    if (!(raised instanceof SealError)) throw raised
    const message = 'a two-factor secret cannot be opened, for instance because SECRET was changed: use --reset-2fa'
    ctx.log.error({ accountId, err: raised }, message)
    return null
  }
}

export const hashRecoveryCode = (ctx: Ctx, code: string): Buffer =>
  hmacToken(subKey(ctx.config.secret, 'recovery-code'), code)

const sealerOf = (ctx: Ctx) => createSealer({ current: ctx.config.secret }, 'totp')
