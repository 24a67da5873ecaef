import { newId } from '@stoa/kit/ids.ts'
import type { Insertable, Updateable } from 'kysely'
import type { Mailbox } from '../../formats/mime/mime.ts'
import { mayWriteAs } from '../../hosting/addresses/addresses.ts'
import { type MailDatabase, type MailDb, type MailTx, recordObjectChanges } from '../../store/store.ts'
import type { IdentityTable } from '../../tables/identities.ts'
import { refuseIdentity } from './refusal.ts'

/** Whom a mailbox writes as (RFC 8621 §6). */
export type Identity = {
  id: string
  name: string
  email: string
  /** Null: none is added. */
  replyTo: readonly Mailbox[] | null
  bcc: readonly Mailbox[] | null
  textSignature: string
  htmlSignature: string
  isDefault: boolean
  /** That of the mailbox's own address, which cannot be deleted. */
  isOwn: boolean
}

export type IdentityChange = Partial<Omit<Identity, 'id' | 'email' | 'isOwn'>>

/** The most identities per mailbox. */
const MAX_IDENTITIES = 100

/** The identities of a mailbox, its own first; that one is made when it is missing. */
export const listIdentities = async (
  { db, tx }: MailDatabase,
  address: { addressId: string; email: string; name: string | null },
  now: Date,
): Promise<Identity[]> => {
  const known = await findIdentities(db, address.addressId)
  if (known.some(({ isOwn }) => isOwn)) return known
  await tx((tx) => makeOwn(tx, address, now))
  return findIdentities(db, address.addressId)
}

export const findIdentity = async (db: MailDb, addressId: string, id: string): Promise<Identity | null> =>
  (await findIdentities(db, addressId)).find((identity) => identity.id === id) ?? null

/** A further identity. Its address has to be one that the mailbox may write as: `forbidden_from`. */
export const createIdentity = async (
  tx: MailTx,
  { addressId, email, now, ...given }: { addressId: string; email: string; now: Date } & IdentityChange,
): Promise<Identity> => {
  await recordObjectChanges(tx, addressId, [])
  if (!(await mayWriteAs(tx, addressId, email)))
    refuseIdentity('forbidden_from', `This mailbox can't send as ${email}. Use its own address or an alias.`)
  const others = await findIdentities(tx, addressId)
  if (others.length >= MAX_IDENTITIES)
    refuseIdentity('too_many', `A mailbox can have up to ${MAX_IDENTITIES} identities.`)
  const id = newId()
  const identity = { ...EMPTY, ...given, id, email, isOwn: false }
  if (identity.isDefault) await unsetDefault(tx, { addressId, identities: others, now })
  await insertIdentity(tx, { address_id: addressId, id, email, ...rowOf(identity), created_at: now, updated_at: now })
  await recordObjectChanges(tx, addressId, [{ kind: 'identity', objectId: id, op: 'created' }])
  return identity
}

/** Changes what is given; an address stays what it is. */
export const updateIdentity = async (
  tx: MailTx,
  { addressId, id, change, now }: { addressId: string; id: string; change: IdentityChange; now: Date },
): Promise<Identity> => {
  await recordObjectChanges(tx, addressId, [])
  const all = await findIdentities(tx, addressId)
  const identity = all.find((candidate) => candidate.id === id) ?? missing()
  if (change.isDefault && !identity.isDefault) await unsetDefault(tx, { addressId, identities: all, now })
  // There is always one: it ends when another one takes its place.
  const { isDefault, ...rest } = change
  const kept = isDefault ? change : rest
  await updateIdentityRow(tx, { addressId, id }, { ...rowOf(kept), updated_at: now })
  await recordObjectChanges(tx, addressId, [{ kind: 'identity', objectId: id, op: 'updated' }])
  return { ...identity, ...kept }
}

/** All but the mailbox's own can go. */
export const deleteIdentity = async (
  tx: MailTx,
  { addressId, id, now }: { addressId: string; id: string; now: Date },
): Promise<void> => {
  await recordObjectChanges(tx, addressId, [])
  const all = await findIdentities(tx, addressId)
  const identity = all.find((candidate) => candidate.id === id) ?? missing()
  if (identity.isOwn) refuseIdentity('own_identity', "The identity of the mailbox's own address can't be deleted.")
  await deleteIdentityRow(tx, addressId, id)
  await recordObjectChanges(tx, addressId, [{ kind: 'identity', objectId: id, op: 'destroyed' }])
  const own = all.find(({ isOwn }) => isOwn)
  if (identity.isDefault && own) await updateIdentity(tx, { addressId, id: own.id, change: { isDefault: true }, now })
}

const EMPTY = { name: '', replyTo: null, bcc: null, textSignature: '', htmlSignature: '', isDefault: false }

const missing = (): never => refuseIdentity('no_such_identity', "This identity doesn't exist.")

const makeOwn = async (
  tx: MailTx,
  { addressId, email, name }: { addressId: string; email: string; name: string | null },
  now: Date,
): Promise<void> => {
  await recordObjectChanges(tx, addressId, [])
  const id = newId()
  const row = { address_id: addressId, id, name: name ?? '', email, created_at: now, updated_at: now }
  const isMade = await insertOwnIdentity(tx, { ...row, reply_to: null, bcc: null })
  if (isMade) await recordObjectChanges(tx, addressId, [{ kind: 'identity', objectId: id, op: 'created' }])
}

const unsetDefault = async (
  tx: MailTx,
  { addressId, identities, now }: { addressId: string; identities: readonly Identity[]; now: Date },
): Promise<void> => {
  const before = identities.find(({ isDefault }) => isDefault)
  if (!before) return
  await updateIdentityRow(tx, { addressId, id: before.id }, { is_default: false, updated_at: now })
}

const rowOf = ({ name, replyTo, bcc, textSignature, htmlSignature, isDefault }: IdentityChange) => ({
  ...(name === undefined ? {} : { name }),
  ...(replyTo === undefined ? {} : { reply_to: replyTo }),
  ...(bcc === undefined ? {} : { bcc }),
  ...(textSignature === undefined ? {} : { signature_text: textSignature }),
  ...(htmlSignature === undefined ? {} : { signature_html: htmlSignature }),
  ...(isDefault === undefined ? {} : { is_default: isDefault }),
})

const COLUMNS = `id, name, email, reply_to as "replyTo", bcc, signature_text as "textSignature",
  signature_html as "htmlSignature", is_default as "isDefault", is_own as "isOwn"`

/** The mailbox's own first, then as they were made. */
const findIdentities = (db: MailDb, addressId: string): Promise<Identity[]> =>
  db.query<Identity>({
    name: 'identities-find',
    text: `select ${COLUMNS} from identity where address_id = $1 order by is_own desc, created_at, id`,
    values: [addressId],
  })

/** False when it is there already. */
const insertOwnIdentity = async (tx: MailTx, row: Insertable<IdentityTable>): Promise<boolean> => {
  const rows = await tx.query({
    text: `insert into identity (address_id, id, name, email, is_default, is_own, created_at, updated_at)
      values ($1, $2, $3, $4, not exists (select from identity where address_id = $1 and is_default), true, $5, $5)
      on conflict (address_id) where is_own do nothing returning 1`,
    values: [row.address_id, row.id, row.name, row.email, row.created_at],
  })
  return rows.length > 0
}

const insertIdentity = async (tx: MailTx, row: Insertable<IdentityTable>): Promise<void> => {
  await tx.insertInto('identity').values(asJson(row)).execute()
}

const updateIdentityRow = async (
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

const deleteIdentityRow = async (tx: MailTx, addressId: string, id: string): Promise<void> => {
  await tx.deleteFrom('identity').where('address_id', '=', addressId).where('id', '=', id).execute()
}

/** Arrays would be taken for arrays of PostgreSQL. */
const asJson = <T extends { reply_to?: unknown; bcc?: unknown }>(row: T): T => {
  const json: { reply_to?: string | null; bcc?: string | null } = {}
  if (row.reply_to !== undefined) json.reply_to = row.reply_to === null ? null : JSON.stringify(row.reply_to)
  if (row.bcc !== undefined) json.bcc = row.bcc === null ? null : JSON.stringify(row.bcc)
  return { ...row, ...json }
}
