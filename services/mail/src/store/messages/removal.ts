import type { MailTx } from '../handles.ts'
import { openMailbox } from '../mailbox/mailbox.ts'
import { refuse } from '../refusal.ts'
import { findDeletedRows, findStates, findUidRows, type MessageRow } from './place-queries.ts'
import { MAX_MESSAGES, relocate } from './places.ts'

export type SetDeleted = { addressId: string; folderId: string; uids: readonly number[]; deleted: boolean; now: Date }

/** Sets or removes \Deleted of rows of one folder; it belongs to the row, not to the message. Gives the UIDs that changed. */
export const setDeleted = async (
  tx: MailTx,
  { addressId, folderId, uids, deleted, now }: SetDeleted,
): Promise<{ modseq: number; uids: number[] }> => {
  checkNumber(uids)
  const box = await openMailbox(tx, addressId)
  const rows = (await findUidRows(tx, addressId, folderId, uids)).filter((row) => row.deleted !== deleted)
  const states = await findStates(tx, addressId, messagesOf(rows))
  const changed = new Set(rows.map(({ uid }) => uid))
  await relocate(
    tx,
    box,
    states.map((message) => ({
      message,
      places: message.places.map((place) =>
        place.folderId === folderId && changed.has(place.uid) ? { ...place, deleted } : place,
      ),
    })),
    { now },
  )
  return { modseq: box.modseq, uids: [...changed] }
}

export type Expunge = {
  addressId: string
  folderId: string
  /** Only of these; null for all that are marked. */
  uids: readonly number[] | null
  now: Date
}

/** Removes rows that are marked \Deleted, at most some hundred; `more` says whether to call again. */
export const expunge = async (
  tx: MailTx,
  { addressId, folderId, uids, now }: Expunge,
): Promise<{ modseq: number; uids: number[]; more: boolean }> => {
  const box = await openMailbox(tx, addressId)
  const found = await findDeletedRows(tx, addressId, folderId, { uids, limit: EXPUNGE_BATCH + 1 })
  const rows = found.slice(0, EXPUNGE_BATCH)
  const removed = await removeRows(tx, { addressId, folderId, rows, now })
  return { modseq: box.modseq, uids: removed, more: found.length > rows.length }
}

const EXPUNGE_BATCH = 500

/** Removes rows of one folder whatever their marks; messages that are nowhere else are destroyed. */
export const removeRows = async (
  tx: MailTx,
  {
    addressId,
    folderId,
    rows,
    now,
  }: { addressId: string; folderId: string; rows: readonly { uid: number; messageId: string }[]; now: Date },
): Promise<number[]> => {
  const box = await openMailbox(tx, addressId)
  const states = await findStates(tx, addressId, messagesOf(rows))
  const wanted = new Set(rows.map(({ uid }) => uid))
  const { removed } = await relocate(
    tx,
    box,
    states.map((message) => ({
      message,
      places: message.places.filter((place) => place.folderId !== folderId || !wanted.has(place.uid)),
    })),
    { now },
  )
  return removed.map(({ uid }) => uid).sort((a, b) => a - b)
}

export type Destroyed = { modseq: number; destroyed: string[]; notFound: string[]; expunged: MessageRow[] }

/** Removes messages from everywhere. */
export const destroyMessages = async (
  tx: MailTx,
  { addressId, messageIds, now }: { addressId: string; messageIds: readonly string[]; now: Date },
): Promise<Destroyed> => {
  checkNumber(messageIds)
  const box = await openMailbox(tx, addressId)
  const states = await findStates(tx, addressId, [...new Set(messageIds)])
  const visible = states.filter(({ places }) => places.some(({ deleted }) => !deleted))
  const { destroyed, removed } = await relocate(
    tx,
    box,
    visible.map((message) => ({ message, places: [] })),
    { now },
  )
  const known = new Set(destroyed)
  return { modseq: box.modseq, destroyed, notFound: messageIds.filter((id) => !known.has(id)), expunged: removed }
}

/** Takes messages out of a folder; those that would be nowhere visible go to the fallback, or are destroyed. */
export const leaveFolder = async (
  tx: MailTx,
  {
    addressId,
    folderId,
    messageIds,
    fallbackFolderId,
    now,
  }: {
    addressId: string
    folderId: string
    messageIds: readonly string[]
    fallbackFolderId: string | null
    now: Date
  },
): Promise<void> => {
  const box = await openMailbox(tx, addressId)
  const states = await findStates(tx, addressId, messageIds)
  await relocate(
    tx,
    box,
    states.map((message) => {
      const places = message.places.filter((place) => place.folderId !== folderId)
      const wasVisible = message.places.some((place) => place.folderId === folderId && !place.deleted)
      const isLost = wasVisible && !places.some(({ deleted }) => !deleted)
      if (!isLost || fallbackFolderId === null) return { message, places }
      // It may still have a row there that is marked \Deleted.
      const others = places.filter((place) => place.folderId !== fallbackFolderId)
      return { message, places: [...others, { folderId: fallbackFolderId, uid: null, deleted: false }] }
    }),
    { now },
  )
}

export const checkNumber = (items: readonly unknown[]): void => {
  if (items.length > MAX_MESSAGES) refuse('too_many', `at most ${MAX_MESSAGES} messages at once`)
}

const messagesOf = (rows: readonly { messageId: string }[]): string[] => [
  ...new Set(rows.map(({ messageId }) => messageId)),
]
