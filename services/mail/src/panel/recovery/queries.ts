import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { Selectable } from 'kysely'
import type { RecoveryTokenTable } from '../../tables/panel-accounts.ts'
import type { Tables } from '../../tables.ts'

/** Whether a domain is hosted here and one of its mailboxes has a recovery address. */
export const hasRecoverable = async (db: Db<Tables>, domain: string): Promise<boolean> =>
  (await db
    .selectFrom('domain')
    .innerJoin('address', 'address.domain_id', 'domain.id')
    .select('address.id')
    .where('domain.name', '=', domain)
    .where('domain.deleted_at', 'is', null)
    .where('domain.verified_at', 'is not', null)
    .where('address.deleted_at', 'is', null)
    .where('address.enabled', '=', true)
    .where('address.recovery_email', 'is not', null)
    .limit(1)
    .executeTakeFirst()) !== undefined

export type RecoveryToken = Selectable<RecoveryTokenTable>

/** Takes the place of an older token of the mailbox. */
export const putRecoveryToken = async (tx: Tx<Tables>, row: RecoveryToken): Promise<void> => {
  const { address_id: _id, ...token } = row
  await tx
    .insertInto('recovery_token')
    .values(row)
    .onConflict((conflict) => conflict.column('address_id').doUpdateSet(token))
    .execute()
}

type Given = { hash: Buffer; now: Date }

export const hasRecoveryToken = async (db: Db<Tables>, { hash, now }: Given): Promise<boolean> =>
  (await db
    .selectFrom('recovery_token')
    .select('address_id')
    .where('token_hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()) !== undefined

/** Takes the token. Of two requests at the same moment, one gets it. */
export const takeRecoveryToken = (tx: Tx<Tables>, { hash, now }: Given): Promise<RecoveryToken | undefined> =>
  tx
    .deleteFrom('recovery_token')
    .where('token_hash', '=', hash)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst()

export const deleteExpiredRecoveryTokens = async (tx: Tx<Tables>, now: Date, limit: number): Promise<number> => {
  const gone = await tx.query({
    text: `delete from recovery_token where ctid = any (array(
             select ctid from recovery_token where expires_at <= $1 limit $2 for update skip locked))
           returning 1`,
    values: [now, limit],
  })
  return gone.length
}

export type RecoveredAddress = {
  id: string
  accountId: string
  email: string
  recoveryEmail: string | null
  passwordHash: string
}

/** A mailbox that may be recovered, unchanged until the transaction ends. */
export const lockRecovered = async (
  tx: Tx<Tables>,
  which: { email: string } | { id: string },
): Promise<RecoveredAddress | undefined> => {
  const found = tx
    .selectFrom('address')
    .innerJoin('domain', 'domain.id', 'address.domain_id')
    .select([
      'address.id',
      'address.account_id as accountId',
      'address.email',
      'address.recovery_email as recoveryEmail',
      'address.password_hash as passwordHash',
    ])
    .where('address.deleted_at', 'is', null)
    .where('address.enabled', '=', true)
    .where('domain.verified_at', 'is not', null)
    .forNoKeyUpdate('address')
  return 'id' in which
    ? found.where('address.id', '=', which.id).executeTakeFirst()
    : found.where('address.email', '=', which.email).executeTakeFirst()
}

export const deleteWebmailSessions = async (tx: Tx<Tables>, addressId: string): Promise<void> => {
  await tx.deleteFrom('webmail_session').where('address_id', '=', addressId).execute()
}
