import type { MailDb, MailTx } from '../handles.ts'
import type { MailboxWrite } from '../mailbox/mailbox.ts'

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

/** Mailboxes with messages whose time has come, in the order of their ids. */
export const findDueMailboxes = async (
  db: MailDb,
  { now, after, limit }: { now: Date; after: string | null; limit: number },
): Promise<string[]> => {
  const rows = await db.query<{ id: string }>({
    name: 'store-find-due-mailboxes',
    text: `select distinct address_id as id from message
      where snoozed_until <= $1 and ($2::uuid is null or address_id > $2) order by id limit $3`,
    values: [now, after, limit],
  })
  return rows.map(({ id }) => id)
}

/** Messages of a mailbox whose time has come, those that wait longest first. */
export const findDue = async (
  db: MailDb,
  { addressId, now, limit }: { addressId: string; now: Date; limit: number },
): Promise<string[]> => {
  const rows = await db.query<{ id: string }>({
    name: 'store-find-due',
    text: `select id from message where address_id = $1 and snoozed_until <= $2 order by snoozed_until limit $3`,
    values: [addressId, now, limit],
  })
  return rows.map(({ id }) => id)
}

export const endSnoozes = async (tx: MailTx, addressId: string, ids: readonly string[]): Promise<void> => {
  await tx.query({
    text: `update message set snoozed_until = null, snoozed_from = null where address_id = $1 and id = any($2::uuid[])`,
    values: [addressId, ids],
  })
}
