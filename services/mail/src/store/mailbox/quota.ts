import type { MailDb } from '../handles.ts'
import { findMailbox } from './mailbox-queries.ts'

/** Bytes of all messages of a mailbox, each once; 0 without a mailbox. */
export const usedBytes = async (db: MailDb, addressId: string): Promise<number> =>
  (await findMailbox(db, addressId))?.usedBytes ?? 0

/** Whether a message of this size would fit; null is no limit. */
export const hasRoom = async (
  db: MailDb,
  { addressId, quotaBytes, size }: { addressId: string; quotaBytes: number | null; size: number },
): Promise<boolean> => quotaBytes === null || (await usedBytes(db, addressId)) + size <= quotaBytes
