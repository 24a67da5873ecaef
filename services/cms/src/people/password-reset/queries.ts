import type { CmsDb, CmsTx } from '../../context.ts'

/** A link for this account as it now is; it is void once the address or the password is another one. */
export const insertReset = async (
  tx: CmsTx,
  { tokenHash, accountId, expiresAt }: { tokenHash: Buffer; accountId: string; expiresAt: Date },
): Promise<void> => {
  await tx.query({
    text: `insert into password_reset (token_hash, account_id, email, password_digest, expires_at)
      select $1, id, email, sha256(convert_to(password_hash, 'UTF8')), $3 from account where id = $2`,
    values: [tokenHash, accountId, expiresAt],
  })
}

/** Whose password the link sets; null when it is void. */
export const findReset = async (
  db: CmsDb,
  { tokenHash, now }: { tokenHash: Buffer; now: Date },
): Promise<string | null> => {
  const [row] = await db.query<{ id: string }>({
    text: `select a.id from password_reset r join account a on a.id = r.account_id
      where r.token_hash = $1 and r.expires_at > $2 and a.deactivated_at is null and a.email = r.email
        and r.password_digest = sha256(convert_to(a.password_hash, 'UTF8'))`,
    values: [tokenHash, now],
  })
  return row?.id ?? null
}

export const deleteResetsOf = async (tx: CmsTx, accountId: string): Promise<void> => {
  await tx.deleteFrom('password_reset').where('account_id', '=', accountId).execute()
}

export const deleteEndedResets = async (tx: CmsTx, now: Date, limit: number): Promise<number> => {
  const gone = await tx.query({
    text: `delete from password_reset where ctid = any (array(
        select ctid from password_reset where expires_at <= $1 limit $2 for update skip locked)) returning 1`,
    values: [now, limit],
  })
  return gone.length
}
