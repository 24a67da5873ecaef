import type { MailDb } from '../handles.ts'
import { hashId } from './read.ts'

export type Duplicate = Omit<DuplicateRow, 'nth'>

/** A message that may be here already. */
export type DuplicateQuery = {
  /** The Message-ID without its brackets. */
  headerId: string | null
  /** The key of its bytes, if they are known. */
  blobKey: string | null
  /** All bytes of it. */
  size: number
  receivedAt: Date
}

/**
 * Messages of a mailbox that are the same as those asked for: the same Message-ID, or without one the same bytes, with
 * the same size and date. In the order of the questions.
 */
export const findDuplicates = async (
  db: MailDb,
  addressId: string,
  questions: readonly DuplicateQuery[],
): Promise<Duplicate[][]> => {
  const answers = questions.map((): Duplicate[] => [])
  if (questions.length === 0) return answers
  const wishes = questions.map(({ headerId, ...question }) => ({
    ...question,
    headerId,
    idHash: headerId === null ? null : hashId(headerId),
  }))
  for (const { nth, ...duplicate } of await findDuplicateRows(db, addressId, wishes)) answers[nth]?.push(duplicate)
  return answers
}

type DuplicateRow = {
  /** Which of those that were asked for, from 0. */
  nth: number
  messageId: string
  createdModseq: number
  /** Folders in which it is not marked \Deleted, and those in which it is. */
  folderIds: string[]
  deletedIn: string[]
}

type TwinWish = {
  idHash: Buffer | null
  headerId: string | null
  blobKey: string | null
  size: number
  receivedAt: Date
}

/** Messages with the same Message-ID, or the same bytes, and the same size and date. */
const findDuplicateRows = (db: MailDb, addressId: string, wishes: readonly TwinWish[]): Promise<DuplicateRow[]> =>
  db.query<DuplicateRow>({
    name: 'store-find-duplicates',
    text: `select (w.nth - 1)::int as nth, m.id as "messageId", m.created_modseq as "createdModseq",
        p.folder_ids as "folderIds", p.deleted_in as "deletedIn"
      from unnest($2::bytea[], $3::text[], $4::text[], $5::int[], $6::timestamptz[]) with ordinality
        as w (id_hash, header_id, blob_key, size, received_at, nth)
      cross join lateral (
        select l.message_id from thread_link l where l.address_id = $1 and l.id_hash = w.id_hash
        union
        select b.ref_id from blob_link b where b.owner_id = $1 and b.blob_key = w.blob_key and b.kind = 'message'
      ) c
      join message m on m.address_id = $1 and m.id = c.message_id and m.size = w.size and m.received_at = w.received_at
        and (m.envelope->'messageId'->>0 = w.header_id or m.blob_key = w.blob_key)
      cross join lateral (
        select coalesce(array_agg(folder_id) filter (where not deleted), '{}') as folder_ids,
          coalesce(array_agg(folder_id) filter (where deleted), '{}') as deleted_in
        from message_folder where address_id = $1 and message_id = m.id
      ) p`,
    values: [
      addressId,
      wishes.map(({ idHash }) => idHash),
      wishes.map(({ headerId }) => headerId),
      wishes.map(({ blobKey }) => blobKey),
      wishes.map(({ size }) => size),
      wishes.map(({ receivedAt }) => receivedAt),
    ],
  })
