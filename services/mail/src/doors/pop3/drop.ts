import type { SignIn } from '../../principal.ts'
import {
  folderByRole,
  type MailDatabase,
  type MailDb,
  type Maildrop,
  readMaildrop,
  removeFromFolder,
} from '../../store/store.ts'

/**
 * The inbox as it was at sign-in. Several clients may have it open at once: nothing is locked, since message numbers are
 * UIDs here, and what has left in the meantime is answered as such.
 */
export type Drop = {
  readonly addressId: string
  readonly folderId: string
  readonly uidValidity: number
  readonly messages: Maildrop
  /** 1 for those that leave at QUIT. */
  readonly marks: Uint8Array
  /** The number of messages that are not marked as deleted. */
  count: number
  octets: number
}

export const openDrop = async (db: MailDb, { address }: SignIn): Promise<Drop | null> => {
  const inbox = await folderByRole(db, address.id, 'inbox')
  if (!inbox) return null
  const messages = await readMaildrop(db, address.id, inbox.id)
  return {
    addressId: address.id,
    folderId: inbox.id,
    uidValidity: inbox.uidValidity,
    messages,
    marks: new Uint8Array(messages.uids.length),
    count: messages.uids.length,
    octets: totalOf(messages.octets),
  }
}

/** A message as the client counts: `index` is its number less one. */
export type DropMessage = { index: number; uid: number; octets: number }

/** The message of a number; null when there is none, or it is marked. */
export const messageAt = ({ messages, marks }: Drop, index: number): DropMessage | null => {
  const uid = messages.uids[index]
  const octets = messages.octets[index]
  return uid === undefined || octets === undefined || marks[index] === 1 ? null : { index, uid, octets }
}

/** The messages that are not marked as deleted, in order. */
export function* messagesOf(drop: Drop): Generator<DropMessage> {
  for (let index = 0; index < drop.marks.length; index += 1) {
    const message = messageAt(drop, index)
    if (message) yield message
  }
}

export const mark = (drop: Drop, { index, octets }: DropMessage): void => {
  drop.marks[index] = 1
  drop.count -= 1
  drop.octets -= octets
}

export const unmarkAll = (drop: Drop): void => {
  drop.marks.fill(0)
  drop.count = drop.marks.length
  drop.octets = totalOf(drop.messages.octets)
}

/** RFC 1939 §6: only a QUIT removes what was marked. */
export const removeMarked = (database: MailDatabase, drop: Drop, now: () => Date): Promise<void> => {
  const { addressId, folderId, messages, marks } = drop
  const uids = [...messages.uids.filter((_uid, index) => marks[index] === 1)]
  return removeFromFolder(database, { addressId, folderId, uids, now })
}

const totalOf = (octets: Uint32Array): number => octets.reduce((sum, each) => sum + each, 0)
