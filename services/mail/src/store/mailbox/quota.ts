import type { MailDb } from '../handles.ts'
import { findMailbox } from './mailbox-queries.ts'

/** Bytes of all messages of a mailbox, each once; 0 without a mailbox. */
export const usedBytes = async (db: MailDb, addressId: string): Promise<number> =>
  (await findMailbox(db, addressId))?.usedBytes ?? 0

/** Bytes of all mailboxes of an account that are not deleted. */
export const usedByAccount = async (db: MailDb, accountId: string): Promise<number> => {
  const [row] = await db.query<{ bytes: number }>({
    name: 'store-sum-account',
    text: `select coalesce(sum(b.used_bytes), 0)::bigint as bytes
      from address a join mailbox b on b.address_id = a.id where a.account_id = $1 and a.deleted_at is null`,
    values: [accountId],
  })
  return row?.bytes ?? 0
}

/** Whether a message of this size would fit; null is no limit. */
export const hasRoom = async (
  db: MailDb,
  { addressId, quotaBytes, size }: { addressId: string; quotaBytes: number | null; size: number },
): Promise<boolean> => quotaBytes === null || (await usedBytes(db, addressId)) + size <= quotaBytes
