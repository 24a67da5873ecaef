import type { ChangeTable } from '../../tables/store.ts'
import type { MailTx } from '../handles.ts'
import type { MailboxWrite } from '../mailbox/mailbox.ts'

export type ObjectChange = { kind: ChangeTable['kind']; objectId: string; op: ChangeTable['op'] }

/** Several changes of one transaction to one object are one. */
export const MERGED_CHANGE = `on conflict (address_id, kind, modseq, object_id) do update set op = case
    when change.op = 'created' and excluded.op = 'updated' then 'created'
    when change.op = 'destroyed' and excluded.op = 'created' then 'updated'
    else excluded.op end`

export const recordChanges = async (tx: MailTx, box: MailboxWrite, changes: readonly ObjectChange[]): Promise<void> => {
  if (changes.length === 0) return
  await tx.query({
    name: 'store-record-changes',
    text: `insert into change (address_id, kind, modseq, object_id, op)
      select $1, c.kind, $2, c.object_id, c.op from unnest($3::text[], $4::uuid[], $5::text[]) c (kind, object_id, op)
      ${MERGED_CHANGE}`,
    values: [
      box.addressId,
      box.modseq,
      changes.map(({ kind }) => kind),
      changes.map(({ objectId }) => objectId),
      changes.map(({ op }) => op),
    ],
  })
  box.notify(...new Set(changes.map(({ kind }) => kind)))
}
