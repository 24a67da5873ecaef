import type { MailDb } from '../handles.ts'

/** Bytes that were uploaded under this id to a mailbox and have not expired; null for anything else. */
export const findUpload = async (
  db: MailDb,
  { ownerId, refId, now }: { ownerId: string; refId: string; now: Date },
): Promise<UploadRow | null> => {
  const [row] = await db.query<UploadRow>({
    name: 'store-find-upload',
    text: `select blob_key as key, size from blob_link
      where ref_id = $1 and owner_id = $2 and kind = 'upload' and expires_at > $3 limit 1`,
    values: [refId, ownerId, now],
  })
  return row ?? null
}

/** Bytes of all uploads of a mailbox that have not expired, small ones counted as a block of the disk. */
export const uploadedBytes = async (db: MailDb, { ownerId, now }: { ownerId: string; now: Date }): Promise<number> => {
  const [row] = await db.query<{ bytes: number }>({
    name: 'store-sum-uploaded',
    text: `select coalesce(sum(greatest(size, ${LEAST_UPLOAD_BYTES})), 0)::bigint as bytes from blob_link
      where owner_id = $1 and kind = 'upload' and expires_at > $2`,
    values: [ownerId, now],
  })
  return row?.bytes ?? 0
}

/** The same bytes are seldom more than a few messages. */
const MAX_MESSAGES = 500

/** Messages of a mailbox whose bytes are this blob. */
export const messagesOfBlob = (db: MailDb, input: { ownerId: string; key: string }): Promise<string[]> =>
  findMessagesOfBlob(db, { ...input, limit: MAX_MESSAGES })

type UploadRow = { key: string; size: number }

/** Messages of an owner that have exactly these bytes. */
const findMessagesOfBlob = async (
  db: MailDb,
  { ownerId, key, limit }: { ownerId: string; key: string; limit: number },
): Promise<string[]> => {
  const rows = await db.query<{ id: string }>({
    name: 'store-find-messages-of-blob',
    text: `select ref_id as id from blob_link
      where owner_id = $1 and blob_key = $2 and kind = 'message' order by ref_id limit $3`,
    values: [ownerId, key, limit],
  })
  return rows.map(({ id }) => id)
}

const LEAST_UPLOAD_BYTES = 4_096
