import { newId } from '@stoa/kit/ids.ts'
import { encodeStructure } from '../../formats/mime/mime.ts'
import type { MailTx } from '../handles.ts'
import { chargedMailbox, isOpen, type MailboxWrite, type RoomCharge } from '../mailbox/mailbox.ts'
import { insertViewed } from '../mailbox/viewer-queries.ts'
import { refuse } from '../refusal.ts'
import { withPrefix } from '../search/searched.ts'
import { type AddedRow, insertMessage, type NewMessage } from './add-queries.ts'
import { isUnread, normaliseKeywords } from './keyword-rules.ts'
import type { ReadMessage } from './read.ts'
import { mergeThreads } from './threads.ts'

export type AddMessage = {
  addressId: string
  /** The viewer who adds it, if it is not the owner: `$seen` is theirs then. */
  viewerId?: string | null
  /** The stored bytes, as `putMessage` gave them. */
  blob: { key: string; size: number }
  /** Header fields of ours that stand before them. */
  prefix: Buffer
  read: ReadMessage
  folderIds: readonly string[]
  keywords: readonly string[]
  receivedAt: Date
  /** In which IMAP shows it, in minutes east of UTC. */
  receivedZone?: number
  now: Date
  /** Null and `ignore`: as much as there is. */
  quotaBytes: number | null | 'ignore'
}

export type AddedMessage = {
  messageId: string
  threadId: string
  modseq: number
  uids: { folderId: string; uid: number }[]
}

/**
 * Puts a message into folders of a mailbox and into its thread. A refusal must end the transaction: `over_quota`,
 * `no_such_folder`, `too_large`.
 */
export const addMessage = (tx: MailTx, { read, quotaBytes, ...input }: AddMessage): Promise<AddedMessage> =>
  placeMessage(tx, {
    ...input,
    structure: encodeStructure(read.structure),
    headers: read.headers,
    wireGrowth: read.wireGrowth,
    sentAt: read.sentAt,
    subject: read.subject,
    preview: read.preview,
    hasAttachment: read.hasAttachment,
    envelope: read.envelope,
    fromSort: read.fromSort,
    toSort: read.toSort,
    subjectSort: read.subjectSort,
    threadIds: read.threadIds,
    subjectHash: read.subjectHash,
    searched: withPrefix(read.searched, input.prefix),
    quotaBytes: quotaBytes === 'ignore' ? null : quotaBytes,
  })

/** A message with all that is stored of it. */
export type MessageToPlace = Omit<NewMessage, 'id' | 'newThreadId' | 'isUnread' | 'keywords'> &
  Pick<AddMessage, 'addressId' | 'viewerId' | 'keywords'> & { quotaBytes: number | null }

/** Columns of PostgreSQL end there; MAX_MESSAGE_BYTES is far below. */
const MAX_SIZE = 2 ** 31 - 1

/** The end of every way on which a message comes into a mailbox; refuses as `addMessage` does. */
export const placeMessage = async (tx: MailTx, input: MessageToPlace): Promise<AddedMessage> => {
  const { addressId, viewerId = null, quotaBytes, blob, prefix } = input
  const size = prefix.length + blob.size
  const folderIds = [...new Set(input.folderIds)]
  const wanted = normaliseKeywords(input.keywords)
  const keywords = viewerId === null ? wanted : wanted.filter((keyword) => keyword !== '$seen')
  if (size > MAX_SIZE) refuse('too_large', 'the message is too large')
  if (folderIds.length === 0) refuse('no_such_folder', 'a message must be in at least one folder')
  const id = newId()
  const message = { ...input, id, newThreadId: newId(), folderIds, keywords, isUnread: isUnread(keywords) }
  const { box, rows } = await chargeAndInsert(tx, addressId, { bytes: size, messages: 1, limit: quotaBytes }, message)
  const [first] = rows
  if (!first) return refuse('no_such_folder', 'the folder does not exist')
  box.notify('message', 'thread', 'folder_counts', 'quota')
  if (viewerId !== null && wanted.includes('$seen')) await insertViewed(tx, { addressId, viewerId, messageIds: [id] })
  const others = (first.threads ?? []).filter((threadId) => threadId !== first.threadId)
  if (others.length > 0) await mergeThreads(tx, box, { into: first.threadId, from: others })
  return {
    messageId: id,
    threadId: first.threadId,
    modseq: box.modseq,
    uids: rows.map(({ folderId, uid }) => ({ folderId, uid })),
  }
}

/**
 * Without a modseq the second statement does nothing, so both are sent at once. Only a transaction that has one already
 * could insert what there is no room for: it waits in between.
 */
const chargeAndInsert = async (
  tx: MailTx,
  addressId: string,
  charge: RoomCharge,
  message: NewMessage,
): Promise<{ box: MailboxWrite; rows: AddedRow[] }> => {
  const charging = chargedMailbox(tx, addressId, charge)
  if (isOpen(tx, addressId)) await charging
  const [box, rows] = await Promise.all([charging, insertMessage(tx, addressId, message)])
  return { box, rows }
}
