import type { CmsTx } from '../../context.ts'

export type TwoFactor = { sealedSecret: string; startedAt: Date; lastStep: number | null }

/** What the account shares with its authenticator app, unchanged until the transaction ends. */
export const lockTwoFactor = async (tx: CmsTx, accountId: string): Promise<TwoFactor | null> => {
  const row = await tx
    .selectFrom('two_factor')
    .select(['secret_sealed', 'started_at', 'last_step'])
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst()
  return row ? { sealedSecret: row.secret_sealed, startedAt: row.started_at, lastStep: row.last_step } : null
}

/** A new secret in place of whatever an earlier enrolment left. */
export const replaceTwoFactor = async (
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

export const updateLastStep = async (tx: CmsTx, accountId: string, lastStep: number): Promise<void> => {
  await tx.updateTable('two_factor').set({ last_step: lastStep }).where('account_id', '=', accountId).execute()
}

/** The recovery codes go with it. */
export const deleteTwoFactor = async (tx: CmsTx, accountId: string): Promise<void> => {
  await tx.deleteFrom('two_factor').where('account_id', '=', accountId).execute()
}

export const insertRecoveryCodes = async (tx: CmsTx, accountId: string, hashes: readonly Buffer[]): Promise<void> => {
  await tx
    .insertInto('recovery_code')
    .values(hashes.map((hash) => ({ account_id: accountId, code_hash: hash })))
    .execute()
}

/** Removes a recovery code; false when the account has none like it. */
export const deleteRecoveryCode = async (tx: CmsTx, accountId: string, hash: Buffer): Promise<boolean> => {
  const { numDeletedRows } = await tx
    .deleteFrom('recovery_code')
    .where('account_id', '=', accountId)
    .where('code_hash', '=', hash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
