import { newId } from '@stoa/kit/ids.ts'
import { findFolderIds } from '../folders/folder-queries.ts'
import type { MailTx } from '../handles.ts'
import { chargedMailbox, openMailbox } from '../mailbox/mailbox.ts'
import { refuse } from '../refusal.ts'
import { cloneMessages, findStates, findUidRows, type MessageState } from './place-queries.ts'
import { type Relocation, relocate, type WantedPlace } from './places.ts'
import { checkNumber } from './removal.ts'

export type Moved = { modseq: number; moved: string[]; notFound: string[]; uids: MovedUid[] }
export type MovedUid = { messageId: string; folderId: string; uid: number }

/** Gives each message exactly these folders. Rows that are marked \Deleted elsewhere stay for IMAP. */
export const setFolders = async (
  tx: MailTx,
  input: { addressId: string; items: readonly { messageId: string; folderIds: readonly string[] }[]; now: Date },
): Promise<Moved> => {
  const { addressId, items, now } = input
  checkNumber(items)
  const box = await openMailbox(tx, addressId)
  await checkFolders(
    tx,
    addressId,
    items.flatMap(({ folderIds }) => folderIds),
  )
  if (items.some(({ folderIds }) => folderIds.length === 0))
    refuse('no_such_folder', 'a message must be in at least one folder')
  const wanted = new Map(items.map(({ messageId, folderIds }) => [messageId, folderIds]))
  const states = (await findStates(tx, addressId, [...wanted.keys()])).filter(isVisible)
  const relocations = states.map((message) => ({ message, places: placesIn(message, wanted.get(message.id) ?? []) }))
  const { added } = await relocate(tx, box, relocations, { now })
  const known = new Set(states.map(({ id }) => id))
  return {
    modseq: box.modseq,
    moved: [...known],
    notFound: [...wanted.keys()].filter((id) => !known.has(id)),
    uids: added,
  }
}

/** Moves messages into one folder, out of all others. */
export const moveMessages = (
  tx: MailTx,
  input: { addressId: string; messageIds: readonly string[]; folderId: string; now: Date },
): Promise<Moved> =>
  setFolders(tx, {
    ...input,
    items: input.messageIds.map((messageId) => ({ messageId, folderIds: [input.folderId] })),
  })

export type UidTransfer = {
  addressId: string
  folderId: string
  uids: readonly number[]
  toFolderId: string
  /** Copies of messages that the other folder has already take room of their own. */
  quotaBytes: number | null
  now: Date
}
/** RFC 4315: which UID became which. */
export type CopiedUid = { uid: number; newUid: number; messageId: string }
export type Transferred = { modseq: number; uids: CopiedUid[] }

/**
 * IMAP COPY: the messages are in the other folder too. One that is there already (or the same folder is meant) becomes a
 * message of its own with the same content, so that the copy has its own UID and flags.
 */
export const copyMessages = (tx: MailTx, input: UidTransfer): Promise<Transferred> => transfer(tx, input, true)

/** IMAP MOVE: the rows leave this folder; other folders of the messages do not matter. */
export const moveUids = (tx: MailTx, input: UidTransfer): Promise<Transferred> => transfer(tx, input, false)

const transfer = async (tx: MailTx, input: UidTransfer, keepsRow: boolean): Promise<Transferred> => {
  const { addressId, folderId, toFolderId, uids, quotaBytes, now } = input
  checkNumber(uids)
  const box = await openMailbox(tx, addressId)
  await checkFolders(tx, addressId, [folderId, toFolderId])
  const rows = await findUidRows(tx, addressId, folderId, uids)
  const states = await findStates(
    tx,
    addressId,
    rows.map(({ messageId }) => messageId),
  )
  const isRow = (place: WantedPlace) => place.folderId === folderId
  const arriving = { folderId: toFolderId, uid: null, deleted: false }
  const isTwin = (message: MessageState) =>
    message.places.some((place) => place.folderId === toFolderId && (keepsRow || !isRow(place)))
  const duplicates = states.filter(isTwin).map((message) => ({ message, copyId: newId() }))
  if (duplicates.length > 0) {
    const bytes = duplicates.reduce((sum, { message }) => sum + message.size, 0)
    await chargedMailbox(tx, addressId, { bytes, messages: duplicates.length, limit: quotaBytes })
    const pairs = duplicates.map(({ message, copyId }) => ({ from: message.id, to: copyId }))
    await cloneMessages(tx, box, pairs, now)
  }
  const copyOf = new Map(duplicates.map(({ message, copyId }) => [message.id, copyId]))
  const relocations = states.flatMap((message): Relocation[] => {
    const stays = keepsRow ? message.places : message.places.filter((place) => !isRow(place))
    const copyId = copyOf.get(message.id)
    if (copyId === undefined) return [{ message, places: [...stays, arriving] }]
    const copy = { message: { ...message, id: copyId, snoozedUntil: null, places: [] }, places: [arriving] }
    return keepsRow ? [copy] : [copy, { message, places: stays }]
  })
  const { added } = await relocate(tx, box, relocations, { now })
  const newUids = new Map(added.map(({ messageId, uid }) => [messageId, uid]))
  return {
    modseq: box.modseq,
    uids: rows.flatMap(({ uid, messageId: original }) => {
      const messageId = copyOf.get(original) ?? original
      const newUid = newUids.get(messageId)
      return newUid === undefined ? [] : [{ uid, newUid, messageId }]
    }),
  }
}

const isVisible = ({ places }: MessageState): boolean => places.some(({ deleted }) => !deleted)

const placesIn = (message: MessageState, folderIds: readonly string[]): WantedPlace[] => [
  ...message.places.filter(({ folderId, deleted }) => deleted && !folderIds.includes(folderId)),
  ...[...new Set(folderIds)].map((folderId) => {
    const known = message.places.find((place) => place.folderId === folderId)
    return { folderId, uid: known?.uid ?? null, deleted: false }
  }),
]

const checkFolders = async (tx: MailTx, addressId: string, folderIds: readonly string[]): Promise<void> => {
  const wanted = [...new Set(folderIds)]
  const known = await findFolderIds(tx, addressId, wanted)
  if (known.length < wanted.length) refuse('no_such_folder', 'the folder does not exist')
}
