import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { Tables } from '../../tables.ts'
import type { Verdict } from './queries.ts'

export type PendingLesson = { readonly addressId: string; readonly blobKey: string; readonly verdict: Verdict }

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
