import type { MailDb } from './handles.ts'
import { findMessagesOfBlob, findUploadRow } from './uploads-queries.ts'

/** Bytes that were uploaded under this id to a mailbox and have not expired; null for anything else. */
export const findUpload = (
  db: MailDb,
  input: { ownerId: string; refId: string; now: Date },
): Promise<{ key: string; size: number } | null> => findUploadRow(db, input)

/** The same bytes are seldom more than a few messages. */
const MAX_MESSAGES = 500

/** Messages of a mailbox whose bytes are this blob. */
export const messagesOfBlob = (db: MailDb, input: { ownerId: string; key: string }): Promise<string[]> =>
  findMessagesOfBlob(db, { ...input, limit: MAX_MESSAGES })
