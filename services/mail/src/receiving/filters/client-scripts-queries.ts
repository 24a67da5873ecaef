import type { MailDb, MailTx } from '../../store/store.ts'

/** `version` is another one whenever the text is. */
export type ClientScriptRow = { id: string; name: string; isActive: boolean; size: number; version: string }

const COLUMNS = `id, name, enabled as "isActive", octet_length(source) as size,
  left(encode(sha256(convert_to(source, 'UTF8')), 'hex'), 16) as version`

export const findClientScripts = (db: MailDb, addressId: string): Promise<ClientScriptRow[]> =>
  db.query<ClientScriptRow>({
    name: 'client-scripts-find',
    text: `select ${COLUMNS} from sieve_script
      where address_id = $1 and origin = 'client' order by name, id`,
    values: [addressId],
  })

export const findClientScript = async (
  db: MailDb,
  addressId: string,
  id: string,
): Promise<(ClientScriptRow & { source: string }) | null> => {
  const [row] = await db.query<ClientScriptRow & { source: string }>({
    name: 'client-scripts-find-one',
    text: `select ${COLUMNS}, source from sieve_script
      where address_id = $1 and origin = 'client' and id = $2`,
    values: [addressId, id],
  })
  return row ?? null
}

/** The customer comes from the address. */
export const insertClientScript = async (
  tx: MailTx,
  script: { addressId: string; id: string; name: string; source: string; extensions: readonly string[]; now: Date },
): Promise<void> => {
  await tx.query({
    text: `insert into sieve_script
        (id, account_id, address_id, origin, name, source, enabled, extensions, created_at, updated_at)
      select $1, account_id, id, 'client', $3, $4, false, $5, $6, $6 from address where id = $2`,
    values: [script.id, script.addressId, script.name, script.source, script.extensions, script.now],
  })
}

/** Null members stay. Every write makes a new version, also within the same millisecond. */
export const updateClientScript = async (
  tx: MailTx,
  script: {
    addressId: string
    id: string
    name: string | null
    content: { source: string; extensions: readonly string[] } | null
    now: Date
  },
): Promise<void> => {
  await tx.query({
    text: `update sieve_script set name = coalesce($3, name), source = coalesce($4, source),
        extensions = coalesce($5, extensions), updated_at = greatest($6, updated_at + interval '1 ms')
      where address_id = $1 and id = $2 and origin = 'client'`,
    values: [
      script.addressId,
      script.id,
      script.name,
      script.content?.source ?? null,
      script.content?.extensions ?? null,
      script.now,
    ],
  })
}

/** First all are made inactive: at no moment there are two. */
export const setActiveScript = async (tx: MailTx, addressId: string, id: string | null): Promise<void> => {
  await tx.query({
    text: `update sieve_script set enabled = false where address_id = $1 and origin = 'client' and enabled`,
    values: [addressId],
  })
  if (id === null) return
  await tx.query({
    text: `update sieve_script set enabled = true where address_id = $1 and origin = 'client' and id = $2`,
    values: [addressId, id],
  })
}

export const deleteClientScript = async (tx: MailTx, addressId: string, id: string): Promise<void> => {
  await tx.query({
    text: `delete from sieve_script where address_id = $1 and origin = 'client' and id = $2`,
    values: [addressId, id],
  })
}
