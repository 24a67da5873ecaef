import type { FolderRole } from '../folders/folder-roles.ts'
import type { MailDb, MailTx } from '../handles.ts'

export type NewFolder = { id: string; name: string; role: FolderRole; position: number }

/** The mailbox with its first folders, all at modseq 1. */
export const insertMailbox = async (
  tx: MailTx,
  { addressId, firstUidValidity, folders }: { addressId: string; firstUidValidity: number; folders: NewFolder[] },
): Promise<void> => {
  await tx.query({
    name: 'store-insert-mailbox',
    text: `with box as (
        insert into mailbox (address_id, next_uid_validity) values ($1, $2::bigint + cardinality($3::uuid[]))
        returning address_id
      ), folders as (
        insert into folder (address_id, id, name, role, position, uid_validity, created_modseq, modseq, counts_modseq)
        select address_id, f.id, f.name, f.role, f.position, $2::bigint + f.nth - 1, 1, 1, 1
        from box, unnest($3::uuid[], $4::text[], $5::text[], $6::int[]) with ordinality f (id, name, role, position, nth)
        returning address_id, id
      )
      insert into change (address_id, kind, modseq, object_id, op)
      select address_id, 'folder', 1, id, 'created' from folders`,
    values: [
      addressId,
      firstUidValidity,
      folders.map(({ id }) => id),
      folders.map(({ name }) => name),
      folders.map(({ role }) => role),
      folders.map(({ position }) => position),
    ],
  })
}

/** What a write adds to the mailbox as a whole; over the limit nothing happens. */
export type Charge = { bytes: number; messages: number; limit: number | null; takesModseq: boolean }
export type ChargedMailbox = { modseq: number; usedBytes: number }

/** Locks the mailbox until the transaction ends. Undefined: there is none, or it has no room. */
export const chargeMailbox = async (
  tx: MailTx,
  addressId: string,
  { bytes, messages, limit, takesModseq }: Charge,
): Promise<ChargedMailbox | undefined> => {
  const [row] = await tx.query<ChargedMailbox>({
    name: 'store-charge-mailbox',
    text: `update mailbox set modseq = modseq + $5, used_bytes = used_bytes + $2, message_count = message_count + $3
      where address_id = $1 and ($4::bigint is null or used_bytes + $2 <= $4)
      returning modseq, used_bytes as "usedBytes"`,
    values: [addressId, bytes, messages, limit, takesModseq ? 1 : 0],
  })
  return row
}

export type MailboxState = {
  modseq: number
  floor: number
  usedBytes: number
  messageCount: number
}

export const findMailbox = async (db: MailDb, addressId: string): Promise<MailboxState | undefined> => {
  const [row] = await db.query<MailboxState>({
    name: 'store-find-mailbox',
    text: `select modseq, floor, used_bytes as "usedBytes", message_count as "messageCount"
      from mailbox where address_id = $1`,
    values: [addressId],
  })
  return row
}

/** Keeps everybody else from writing without a change of its own: for derived data. */
export const lockMailbox = async (tx: MailTx, addressId: string): Promise<boolean> => {
  const rows = await tx.query({
    name: 'store-lock-mailbox',
    text: 'select address_id from mailbox where address_id = $1 for no key update',
    values: [addressId],
  })
  return rows.length > 0
}
