import type { MailDb, MailTx } from './handles.ts'
import type { MailboxWrite } from './mailbox.ts'

/** What a snoozed message goes back to, as far as it is still there; in the order of the ids. */
export type Origin = { id: string; folderIds: string[] }

export const findOrigins = (db: MailDb, addressId: string, ids: readonly string[]): Promise<Origin[]> =>
  db.query<Origin>({
    name: 'store-find-origins',
    text: `select m.id, array(
        select f.id from folder f where f.address_id = $1 and f.id = any(m.snoozed_from) order by f.id
      ) as "folderIds"
      from unnest($2::uuid[]) with ordinality w (id, nth) join message m on m.address_id = $1 and m.id = w.id
      where m.snoozed_until is not null order by w.nth`,
    values: [addressId, ids],
  })

/** Where each comes from; one that was snoozed before keeps its first origin. */
export const updateSnoozed = async (
  tx: MailTx,
  box: MailboxWrite,
  { until, origins }: { until: Date; origins: readonly { id: string; folderIds: readonly string[] }[] },
): Promise<void> => {
  await tx.query({
    name: 'store-update-snoozed',
    text: `update message m set snoozed_until = $3, modseq = $2,
        snoozed_from = coalesce(m.snoozed_from, string_to_array(o.folders, ',')::uuid[])
      from unnest($4::uuid[], $5::text[]) o (id, folders) where m.address_id = $1 and m.id = o.id`,
    values: [
      box.addressId,
      box.modseq,
      until,
      origins.map(({ id }) => id),
      origins.map(({ folderIds }) => folderIds.join(',')),
    ],
  })
}

/** Messages whose time has come, of any mailbox, those that wait longest first. */
export const findDue = (db: MailDb, now: Date, limit: number): Promise<{ addressId: string; id: string }[]> =>
  db.query({
    name: 'store-find-due',
    text: `select address_id as "addressId", id from message
      where snoozed_until <= $1 order by snoozed_until limit $2`,
    values: [now, limit],
  })

export const endSnoozes = async (tx: MailTx, addressId: string, ids: readonly string[]): Promise<void> => {
  await tx.query({
    text: `update message set snoozed_until = null, snoozed_from = null where address_id = $1 and id = any($2::uuid[])`,
    values: [addressId, ids],
  })
}
