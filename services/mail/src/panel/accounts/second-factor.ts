import { createSealer, SealError, subKey } from '@stoa/kit/crypto/seal.ts'
import { hmacToken } from '@stoa/kit/crypto/tokens.ts'
import { normaliseRecoveryCode, verifyTotp } from '@stoa/kit/crypto/totp.ts'
import type { Tx } from '@stoa/kit/db/database.ts'
import type { Secret } from '@stoa/kit/secret.ts'
import type { Ctx } from '../../context.ts'
import { notifyAccount, recoveryCodeUsed } from '../../hosting/system-mail/system-mail.ts'
import type { Tables } from '../../tables.ts'
import { countRecoveryCodes, deleteRecoveryCode, lockTwoFactor, updateLastStep } from './second-factor-queries.ts'

type Keys = Pick<Ctx, 'config' | 'log'>

/**
 * Takes a code of the authenticator app or a recovery code, each once, and returns which it was; null when it is not valid.
 * The caller has locked the account and counts wrong codes with `countCodeAttempt`.
 */
export const spendCode = async (
  ctx: Ctx,
  tx: Tx<Tables>,
  accountId: string,
  code: string,
): Promise<'app' | 'recovery' | null> => {
  const held = await lockTwoFactor(tx, accountId)
  // An account that asks for a code and has no secret lets nobody in.
  if (!held) return null
  const secret = openSecret(ctx, accountId, held.sealedSecret)
  const step = secret && verifyTotp({ secret, code, now: ctx.now(), lastStep: held.lastStep })
  if (step !== null) {
    await updateLastStep(tx, accountId, step)
    return 'app'
  }
  const recoveryCode = normaliseRecoveryCode(code)
  if (recoveryCode === null) return null
  if (!(await deleteRecoveryCode(tx, accountId, hashRecoveryCode(ctx, recoveryCode)))) return null
  ctx.log.warn({ accountId }, 'a recovery code was used')
  const left = await countRecoveryCodes(tx, accountId)
  const content = recoveryCodeUsed({ left, accountUrl: `${ctx.config.publicUrl}/account` })
  await notifyAccount(ctx.parts, tx, { accountId, about: 'security', content })
  return 'recovery'
}

export const sealSecret = (ctx: Keys, accountId: string, secret: Secret): string =>
  sealerOf(ctx).seal(secret, accountId)

/** Null when it cannot be opened: then no code of the app is good, and recovery codes or the operator must help. */
export const openSecret = (ctx: Keys, accountId: string, sealed: string): Secret | null => {
  try {
    return sealerOf(ctx).open(sealed, accountId)
  } catch (raised) {
    if (!(raised instanceof SealError)) throw raised
    ctx.log.error({ accountId, err: raised }, 'a two-factor secret cannot be opened: was SECRET changed?')
    return null
  }
}

export const hashRecoveryCode = (ctx: Keys, code: string): Buffer =>
  hmacToken(subKey(ctx.config.secret, 'mail/recovery-code'), code)

const sealerOf = ({ config }: Keys) => createSealer({ current: config.secret }, 'mail/totp')
