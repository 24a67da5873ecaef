import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { Tables } from '../../tables.ts'
import type { Verdict } from './queries.ts'

export type PendingLesson = { readonly addressId: string; readonly blobKey: string; readonly verdict: Verdict }

/** Writes down what is to be learned of messages; the last word about a message counts. */
export const insertPending = async (
  tx: Tx<Tables>,
  input: { addressId: string; messageIds: readonly string[]; verdict: Verdict; now: Date },
): Promise<void> => {
  await tx.query({
    name: 'insert-spam-pending',
    text: `insert into spam_pending (address_id, blob_key, verdict, created_at)
      select distinct on (blob_key) address_id, blob_key, $3, $4::timestamptz from message
      where address_id = $1 and id = any($2::uuid[])
      on conflict (address_id, blob_key) do update set verdict = excluded.verdict, created_at = excluded.created_at`,
    values: [input.addressId, input.messageIds, input.verdict, input.now],
  })
}

/** Those that wait, behind another one in the order of their keys. */
export const listPending = (
  db: Db<Tables>,
  after: Pick<PendingLesson, 'addressId' | 'blobKey'> | null,
  limit: number,
): Promise<PendingLesson[]> =>
  db.query<PendingLesson>({
    name: 'list-spam-pending',
    text: `select address_id as "addressId", blob_key as "blobKey", verdict from spam_pending
      where $1::uuid is null or (address_id, blob_key) > ($1, $2) order by address_id, blob_key limit $3`,
    values: [after?.addressId ?? null, after?.blobKey ?? null, limit],
  })

/** True for the one who took it; false when it was changed or taken meanwhile. */
export const takePending = async (tx: Tx<Tables>, lesson: PendingLesson): Promise<boolean> => {
  const rows = await tx.query({
    name: 'take-spam-pending',
    text: 'delete from spam_pending where address_id = $1 and blob_key = $2 and verdict = $3 returning 1',
    values: [lesson.addressId, lesson.blobKey, lesson.verdict],
  })
  return rows.length > 0
}
