import type { Tx } from '@stoa/kit/db/database.ts'
import type { Tables } from '../../tables.ts'

export type TwoFactor = { sealedSecret: string; startedAt: Date; lastStep: number | null }

/** What the account shares with its authenticator app, unchanged until the transaction ends. */
export const lockTwoFactor = async (tx: Tx<Tables>, accountId: string): Promise<TwoFactor | null> => {
  const row = await tx
    .selectFrom('two_factor')
    .select(['sealed_secret', 'started_at', 'last_step'])
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst()
  return row ? { sealedSecret: row.sealed_secret, startedAt: row.started_at, lastStep: row.last_step } : null
}

/** A new secret in place of whatever an earlier enrolment left. */
export const replaceTwoFactor = async (
  tx: Tx<Tables>,
  { accountId, sealedSecret, startedAt }: { accountId: string; sealedSecret: string; startedAt: Date },
): Promise<void> => {
  const begun = { sealed_secret: sealedSecret, started_at: startedAt, last_step: null }
  await tx
    .insertInto('two_factor')
    .values({ account_id: accountId, ...begun })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(begun))
    .execute()
}

export const updateLastStep = async (tx: Tx<Tables>, accountId: string, lastStep: number): Promise<void> => {
  await tx.updateTable('two_factor').set({ last_step: lastStep }).where('account_id', '=', accountId).execute()
}

export const deleteTwoFactor = async (tx: Tx<Tables>, accountId: string): Promise<void> => {
  await tx.deleteFrom('two_factor').where('account_id', '=', accountId).execute()
  await tx.deleteFrom('recovery_code').where('account_id', '=', accountId).execute()
}

/** The only codes that the account has from now on. */
export const replaceRecoveryCodes = async (
  tx: Tx<Tables>,
  accountId: string,
  hashes: readonly Buffer[],
): Promise<void> => {
  await tx.deleteFrom('recovery_code').where('account_id', '=', accountId).execute()
  await tx
    .insertInto('recovery_code')
    .values(hashes.map((hash) => ({ account_id: accountId, code_hash: hash })))
    .execute()
}

/** Removes a recovery code; false when the account has none like it. */
export const deleteRecoveryCode = async (tx: Tx<Tables>, accountId: string, hash: Buffer): Promise<boolean> => {
  const { numDeletedRows } = await tx
    .deleteFrom('recovery_code')
    .where('account_id', '=', accountId)
    .where('code_hash', '=', hash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export const countRecoveryCodes = async (tx: Tx<Tables>, accountId: string): Promise<number> => {
  const row = await tx
    .selectFrom('recovery_code')
    .select(({ fn }) => fn.countAll<number>().as('left'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return row.left
}
