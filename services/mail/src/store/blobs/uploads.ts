import type { MailDb } from '../handles.ts'
import { findMessagesOfBlob, findUploadRow, sumUploaded } from './uploads-queries.ts'

/** Bytes that were uploaded under this id to a mailbox and have not expired; null for anything else. */
export const findUpload = (
  db: MailDb,
  input: { ownerId: string; refId: string; now: Date },
): Promise<{ key: string; size: number } | null> => findUploadRow(db, input)

/** Bytes of all uploads of a mailbox that have not expired, small ones counted as a block of the disk. */
export const uploadedBytes = (db: MailDb, input: { ownerId: string; now: Date }): Promise<number> =>
  sumUploaded(db, input)

/** The same bytes are seldom more than a few messages. */
const MAX_MESSAGES = 500

/** Messages of a mailbox whose bytes are this blob. */
export const messagesOfBlob = (db: MailDb, input: { ownerId: string; key: string }): Promise<string[]> =>
  findMessagesOfBlob(db, { ...input, limit: MAX_MESSAGES })
