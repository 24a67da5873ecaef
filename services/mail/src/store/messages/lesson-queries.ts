import type { SpamPendingTable } from '../../tables/receiving.ts'
import type { MailTx } from '../handles.ts'

export type Verdict = SpamPendingTable['verdict']

/** Writes down what is to be learned of messages; the last word about a message counts. */
export const insertPending = async (
  tx: MailTx,
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
