import { eachOnItsOwn, inBatches, inPages } from '@stoa/kit/db/batches.ts'
import { findRoleFolder } from '../folders/folder-queries.ts'
import type { MailDb, MailTx } from '../handles.ts'
import { type MailboxWrite, openMailbox } from '../mailbox/mailbox.ts'
import type { UpkeepParts } from '../mailbox/upkeep.ts'
import { deleteViewed } from '../mailbox/viewer-queries.ts'
import { refuse } from '../refusal.ts'
import { changeKeywords } from './keywords.ts'
import { type Moved, setFolders } from './moves.ts'
import { findStates } from './place-queries.ts'
import { checkNumber } from './removal.ts'

export type Snooze = { addressId: string; messageIds: readonly string[]; until: Date | null; now: Date }

/**
 * Puts messages away until a moment: they are in Snoozed, and then unseen in the folders they came from. Null wakes them
 * now. Moving a message out of Snoozed ends it too.
 */
export const snooze = async (tx: MailTx, { addressId, messageIds, until, now }: Snooze): Promise<Moved> => {
  checkNumber(messageIds)
  if (until === null) return wake(tx, { addressId, messageIds, now })
  const box = await openMailbox(tx, addressId)
  const folderId = await snoozedFolder(tx, addressId)
  const states = await findStates(tx, addressId, [...new Set(messageIds)])
  const origins = states.map(({ id, places }) => ({
    id,
    folderIds: places.filter((place) => !place.deleted && place.folderId !== folderId).map((place) => place.folderId),
  }))
  const items = messageIds.map((messageId) => ({ messageId, folderIds: [folderId] }))
  const moved = await setFolders(tx, { addressId, items, now })
  const found = new Set(moved.moved)
  await updateSnoozed(tx, box, { until, origins: origins.filter(({ id }) => found.has(id)) })
  return moved
}

/** Brings snoozed messages back, unseen; those that are not snoozed are not found. */
const wake = async (
  tx: MailTx,
  { addressId, messageIds, now }: { addressId: string; messageIds: readonly string[]; now: Date },
): Promise<Moved> => {
  await openMailbox(tx, addressId)
  const origins = await findOrigins(tx, addressId, messageIds)
  const inbox = (await findRoleFolder(tx, addressId, 'inbox')) ?? refuse('no_such_folder', 'there is no inbox')
  const items = origins.map(({ id, folderIds }) => ({
    messageId: id,
    folderIds: folderIds.length > 0 ? folderIds : [inbox],
  }))
  const moved = await setFolders(tx, { addressId, items, now })
  await changeKeywords(tx, { addressId, messageIds: moved.moved, remove: ['$seen'] })
  await deleteViewed(tx, addressId, moved.moved)
  const known = new Set(moved.moved)
  return { ...moved, notFound: messageIds.filter((id) => !known.has(id)) }
}

const DUE_BATCH = 500

/** Wakes what is due in all mailboxes, of each a batch at a time; gives how many. */
export const wakeDue = async ({ database, log }: UpkeepParts, now: Date): Promise<number> => {
  let woken = 0
  await eachOnItsOwn(
    inPages<string>(DUE_BATCH, (after, limit) => findDueMailboxes(database.db, { now, after, limit })),
    async (addressId) => {
      woken += await inBatches(database, DUE_BATCH, (tx, limit) => wakeSome(tx, { addressId, now, limit }))
    },
    (err, addressId) => log.error({ err, addressId }, 'snoozed mail could not be brought back'),
  )
  return woken
}

const wakeSome = async (tx: MailTx, { addressId, now, limit }: { addressId: string; now: Date; limit: number }) => {
  const messageIds = await findDue(tx, { addressId, now, limit })
  if (messageIds.length === 0) return 0
  const { notFound } = await wake(tx, { addressId, messageIds, now })
  await forgetInvisible(tx, addressId, notFound)
  return messageIds.length
}

/** Marked \Deleted everywhere: there is nothing to bring back, and it must not be due for ever. */
const forgetInvisible = async (tx: MailTx, addressId: string, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return
  await endSnoozes(tx, addressId, ids)
}

const snoozedFolder = async (tx: MailTx, addressId: string): Promise<string> =>
  (await findRoleFolder(tx, addressId, 'snoozed')) ?? refuse('no_such_folder', 'there is no folder for snoozed mail')

/** The folders that a snoozed message returns to, as far as they still exist; ordered by id. */
type Origin = { id: string; folderIds: string[] }

const findOrigins = (db: MailDb, addressId: string, ids: readonly string[]): Promise<Origin[]> =>
  db.query<Origin>({
    name: 'store-find-origins',
    text: `select m.id, array(
        select f.id from folder f where f.address_id = $1 and f.id = any(m.snoozed_from) order by f.id
      ) as "folderIds"
      from unnest($2::uuid[]) with ordinality w (id, nth) join message m on m.address_id = $1 and m.id = w.id
      where m.snoozed_until is not null order by w.nth`,
    values: [addressId, ids],
  })

/** Records the folders of each message; one that is snoozed again keeps its first origin. */
const updateSnoozed = async (
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
const findDueMailboxes = async (
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
const findDue = async (
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

const endSnoozes = async (tx: MailTx, addressId: string, ids: readonly string[]): Promise<void> => {
  await tx.query({
    text: `update message set snoozed_until = null, snoozed_from = null where address_id = $1 and id = any($2::uuid[])`,
    values: [addressId, ids],
  })
}
