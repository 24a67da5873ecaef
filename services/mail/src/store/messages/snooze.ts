import { eachOnItsOwn, inBatches, inPages } from '@stoa/kit/db/batches.ts'
import { findRoleFolder } from '../folders/folder-queries.ts'
import type { MailTx } from '../handles.ts'
import { openMailbox } from '../mailbox/mailbox.ts'
import type { UpkeepParts } from '../mailbox/upkeep.ts'
import { deleteViewed } from '../mailbox/viewer-queries.ts'
import { refuse } from '../refusal.ts'
import { changeKeywords } from './keywords.ts'
import { type Moved, setFolders } from './moves.ts'
import { findStates } from './place-queries.ts'
import { checkNumber } from './removal.ts'
import { endSnoozes, findDue, findDueMailboxes, findOrigins, updateSnoozed } from './snooze-queries.ts'

export type Snooze = { addressId: string; messageIds: readonly string[]; until: Date | null; now: Date }

/**
 * Puts messages away until a moment: they are in Snoozed, and then unseen in the folders they came from. Null wakes them
 * now. Whoever moves a message out of Snoozed ends it too.
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
