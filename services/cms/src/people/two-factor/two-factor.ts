import { createSealer, SealError, subKey } from '@stoa/kit/crypto/seal.ts'
import { hmacToken } from '@stoa/kit/crypto/tokens.ts'
import { normaliseRecoveryCode, verifyTotp } from '@stoa/kit/crypto/totp.ts'
import type { Secret } from '@stoa/kit/secret.ts'
import type { CmsTx, Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'

/** A secret that was shown and never confirmed is worth nothing after this. */
const ENROLMENT_MS = 15 * 60_000

/**
 * Takes a code of the authenticator app or a recovery code, each once; false when it is not good. The caller has
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

/** Keeps a secret whose app has not shown a code yet; an earlier one is replaced. */
export const beginSecret = (ctx: Ctx, tx: CmsTx, accountId: string, secret: Secret): Promise<void> =>
  replaceTwoFactor(tx, { accountId, sealedSecret: sealerOf(ctx).seal(secret, accountId), startedAt: ctx.now() })

/** Takes the first code of a secret that was given out a short while ago; false when it is not the one the app shows. */
export const spendFirstCode = async (ctx: Ctx, tx: CmsTx, accountId: string, code: string): Promise<boolean> => {
  const held = await lockTwoFactor(tx, accountId)
  const isOpen = held !== null && ctx.now().getTime() - held.startedAt.getTime() < ENROLMENT_MS
  const secret = isOpen ? openSecret(ctx, accountId, held.sealedSecret) : null
  if (secret === null)
    return fail('INVALID_STATE', {
      message: "The two-factor setup wasn't started, or has expired after 15 minutes. Start again.",
    })
  const step = verifyTotp({ secret, code, now: ctx.now(), lastStep: null })
  if (step === null) return false
  // The code that confirmed the setup must not sign in again.
  await updateLastStep(tx, accountId, step)
  return true
}

export const keepRecoveryCodes = (ctx: Ctx, tx: CmsTx, accountId: string, codes: readonly string[]): Promise<void> =>
  insertRecoveryCodes(
    tx,
    accountId,
    codes.map((code) => hashRecoveryCode(ctx, code)),
  )

/** Removes secret and recovery codes; the account says by itself whether a code is asked. */
export const forgetTwoFactor = async (tx: CmsTx, accountId: string): Promise<void> => {
  await tx.deleteFrom('two_factor').where('account_id', '=', accountId).execute()
}

/** Null when it cannot be opened: then no code is good, and the operator must help. */
const openSecret = (ctx: Ctx, accountId: string, sealed: string): Secret | null => {
  try {
    return sealerOf(ctx).open(sealed, accountId)
  } catch (raised) {
    if (!(raised instanceof SealError)) throw raised
    const message = 'a two-factor secret cannot be opened, for instance because SECRET was changed: use --reset-2fa'
    ctx.log.error({ accountId, err: raised }, message)
    return null
  }
}

const hashRecoveryCode = (ctx: Ctx, code: string): Buffer => hmacToken(subKey(ctx.config.secret, 'recovery-code'), code)

const sealerOf = (ctx: Ctx) => createSealer({ current: ctx.config.secret }, 'totp')

type TwoFactor = { sealedSecret: string; startedAt: Date; lastStep: number | null }

/** What the account shares with its authenticator app, unchanged until the transaction ends. */
const lockTwoFactor = async (tx: CmsTx, accountId: string): Promise<TwoFactor | null> => {
  const row = await tx
    .selectFrom('two_factor')
    .select(['secret_sealed', 'started_at', 'last_step'])
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst()
  return row ? { sealedSecret: row.secret_sealed, startedAt: row.started_at, lastStep: row.last_step } : null
}

/** A new secret in place of whatever an earlier enrolment left. */
const replaceTwoFactor = async (
  tx: CmsTx,
  { accountId, sealedSecret, startedAt }: { accountId: string; sealedSecret: string; startedAt: Date },
): Promise<void> => {
  await tx
    .insertInto('two_factor')
    .values({ account_id: accountId, secret_sealed: sealedSecret, started_at: startedAt, last_step: null })
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet({ secret_sealed: sealedSecret, started_at: startedAt, last_step: null }),
    )
    .execute()
}

const updateLastStep = async (tx: CmsTx, accountId: string, lastStep: number): Promise<void> => {
  await tx.updateTable('two_factor').set({ last_step: lastStep }).where('account_id', '=', accountId).execute()
}

const insertRecoveryCodes = async (tx: CmsTx, accountId: string, hashes: readonly Buffer[]): Promise<void> => {
  await tx
    .insertInto('recovery_code')
    .values(hashes.map((hash) => ({ account_id: accountId, code_hash: hash })))
    .execute()
}

/** Removes a recovery code; false when the account has none like it. */
const deleteRecoveryCode = async (tx: CmsTx, accountId: string, hash: Buffer): Promise<boolean> => {
  const { numDeletedRows } = await tx
    .deleteFrom('recovery_code')
    .where('account_id', '=', accountId)
    .where('code_hash', '=', hash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
