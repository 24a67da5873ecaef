import { newId } from '@stoa/kit/ids.ts'
import { encodeStructure } from '../mime/stored.ts'
import { insertMessage } from './add-queries.ts'
import type { MailTx } from './handles.ts'
import { isUnread, normaliseKeywords } from './keyword-rules.ts'
import { chargedMailbox } from './mailbox.ts'
import type { ReadMessage } from './read.ts'
import { refuse } from './refusal.ts'
import { mergeThreads } from './threads.ts'

export type AddMessage = {
  addressId: string
  /** The stored bytes, as `putMessage` gave them. */
  blob: { key: string; size: number }
  /** Header fields of ours that stand before them. */
  prefix: Buffer
  read: ReadMessage
  folderIds: readonly string[]
  keywords: readonly string[]
  receivedAt: Date
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

/** Columns of PostgreSQL end there; MAX_MESSAGE_BYTES is far below. */
const MAX_SIZE = 2 ** 31 - 1

/**
 * Puts a message into folders of a mailbox and into its thread. A refusal must end the transaction: `over_quota`,
 * `no_such_folder`, `too_large`.
 */
export const addMessage = async (tx: MailTx, input: AddMessage): Promise<AddedMessage> => {
  const { addressId, blob, prefix, read } = input
  const size = prefix.length + blob.size
  const folderIds = [...new Set(input.folderIds)]
  const keywords = normaliseKeywords(input.keywords)
  if (size > MAX_SIZE) refuse('too_large', 'the message is too large')
  if (folderIds.length === 0) refuse('no_such_folder', 'a message is in at least one folder')
  const limit = input.quotaBytes === 'ignore' ? null : input.quotaBytes
  const box = await chargedMailbox(tx, addressId, { bytes: size, messages: 1, limit })
  const id = newId()
  const rows = await insertMessage(tx, box, {
    id,
    newThreadId: newId(),
    blob,
    prefix,
    structure: encodeStructure(read.structure),
    keywords,
    isUnread: isUnread(keywords),
    receivedAt: input.receivedAt,
    sentAt: read.sentAt,
    subject: read.subject,
    preview: read.preview,
    hasAttachment: read.hasAttachment,
    envelope: read.envelope,
    fromSort: read.fromSort,
    toSort: read.toSort,
    subjectSort: read.subjectSort,
    folderIds,
    threadIds: read.threadIds,
    subjectHash: read.subjectHash,
    now: input.now,
  })
  const [first] = rows
  if (!first) return refuse('no_such_folder', 'the folder is not there')
  const others = (first.threads ?? []).filter((threadId) => threadId !== first.threadId)
  if (others.length > 0) await mergeThreads(tx, box, { into: first.threadId, from: others })
  return {
    messageId: id,
    threadId: first.threadId,
    modseq: box.modseq,
    uids: rows.map(({ folderId, uid }) => ({ folderId, uid })),
  }
}
