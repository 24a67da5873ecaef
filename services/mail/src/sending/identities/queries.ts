import type { Insertable, Updateable } from 'kysely'
import type { MailDb, MailTx } from '../../store/store.ts'
import type { IdentityTable } from '../../tables/identities.ts'
import type { Identity } from './operations.ts'

const COLUMNS = `id, name, email, reply_to as "replyTo", bcc, signature_text as "textSignature",
  signature_html as "htmlSignature", is_default as "isDefault", is_own as "isOwn"`

/** The mailbox's own first, then as they were made. */
export const findIdentities = (db: MailDb, addressId: string): Promise<Identity[]> =>
  db.query<Identity>({
    name: 'identities-find',
    text: `select ${COLUMNS} from identity where address_id = $1 order by is_own desc, created_at, id`,
    values: [addressId],
  })

/** False when it is there already. */
export const insertOwnIdentity = async (tx: MailTx, row: Insertable<IdentityTable>): Promise<boolean> => {
  const rows = await tx.query({
    text: `insert into identity (address_id, id, name, email, is_default, is_own, created_at, updated_at)
      values ($1, $2, $3, $4, not exists (select from identity where address_id = $1 and is_default), true, $5, $5)
      on conflict (address_id) where is_own do nothing returning 1`,
    values: [row.address_id, row.id, row.name, row.email, row.created_at],
  })
  return rows.length > 0
}

export const insertIdentity = async (tx: MailTx, row: Insertable<IdentityTable>): Promise<void> => {
  await tx.insertInto('identity').values(asJson(row)).execute()
}

export const updateIdentityRow = async (
  tx: MailTx,
  { addressId, id }: { addressId: string; id: string },
  values: Updateable<IdentityTable>,
): Promise<void> => {
  await tx
    .updateTable('identity')
    .set(asJson(values))
    .where('address_id', '=', addressId)
    .where('id', '=', id)
    .execute()
}

export const deleteIdentityRow = async (tx: MailTx, addressId: string, id: string): Promise<void> => {
  await tx.deleteFrom('identity').where('address_id', '=', addressId).where('id', '=', id).execute()
}

/** Arrays would be taken for arrays of PostgreSQL. */
const asJson = <T extends { reply_to?: unknown; bcc?: unknown }>(row: T): T => {
  const json: { reply_to?: string | null; bcc?: string | null } = {}
  if (row.reply_to !== undefined) json.reply_to = row.reply_to === null ? null : JSON.stringify(row.reply_to)
  if (row.bcc !== undefined) json.bcc = row.bcc === null ? null : JSON.stringify(row.bcc)
  return { ...row, ...json }
}
