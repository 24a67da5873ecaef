import type { MailTx } from '../handles.ts'
import { placeMessage } from './messages.ts'
import { checkNumber } from './removal.ts'
import { type CopySource, findCopySources, findPlaced } from './transfers-queries.ts'

/** A message of another mailbox, and what its copy shall be. */
export type MailboxCopy = {
  messageId: string
  /** Of the mailbox that it goes to. */
  folderIds: readonly string[]
  /** As the original if there are none. */
  keywords?: readonly string[]
  receivedAt?: Date
}

export type CopyToMailbox = {
  /** `viewerId`: who copies, where that is not the owner; `$seen` is theirs then. */
  from: { addressId: string; viewerId?: string | null }
  to: { addressId: string; viewerId?: string | null }
  messages: readonly MailboxCopy[]
  /** Of the mailbox that they go to; null is no limit. */
  quotaBytes: number | null
  now: Date
}

export type CopiedToMailbox = {
  messageId: string
  newMessageId: string
  threadId: string
  size: number
  uids: { folderId: string; uid: number }[]
}

/**
 * Copies messages into another mailbox: the bytes are shared, everything else is its own. In the order of the input; those
 * that are not there are left out. A refusal must end the transaction: `over_quota`, `no_such_folder`, `too_many`.
 */
export const copyToMailbox = async (tx: MailTx, input: CopyToMailbox): Promise<CopiedToMailbox[]> => {
  const { from, to, messages, quotaBytes, now } = input
  checkNumber(messages)
  const ids = [...new Set(messages.map(({ messageId }) => messageId))]
  const found = await findCopySources(tx, { addressId: from.addressId, viewerId: from.viewerId ?? null, ids })
  const sources = new Map(found.map((source) => [source.id, source]))
  const copies: Omit<CopiedToMailbox, 'newMessageId' | 'threadId'>[] = []
  for (const wanted of messages) {
    const source = sources.get(wanted.messageId)
    if (!source) continue
    const uids = await insertCopy(tx, { to, source, wanted, quotaBytes, now })
    copies.push({ messageId: source.id, size: source.size, uids })
  }
  const placed = await findPlaced(
    tx,
    to.addressId,
    copies.flatMap(({ uids }) => uids.slice(0, 1)),
  )
  const byPlace = new Map(placed.map((row) => [`${row.folderId} ${row.uid}`, row]))
  return copies.map((copy) => {
    const row = byPlace.get(`${copy.uids[0]?.folderId} ${copy.uids[0]?.uid}`)
    return { ...copy, newMessageId: row?.messageId ?? '', threadId: row?.threadId ?? '' }
  })
}

type Insertion = Pick<CopyToMailbox, 'to' | 'quotaBytes' | 'now'> & { source: CopySource; wanted: MailboxCopy }

const insertCopy = async (
  tx: MailTx,
  { to, source, wanted, quotaBytes, now }: Insertion,
): Promise<{ folderId: string; uid: number }[]> => {
  const { uids } = await placeMessage(tx, {
    ...source,
    ...to,
    blob: { key: source.blobKey, size: source.size - source.prefix.length },
    keywords: wanted.keywords ?? source.keywords,
    receivedAt: wanted.receivedAt ?? source.receivedAt,
    receivedZone: wanted.receivedAt ? 0 : source.receivedZone,
    folderIds: wanted.folderIds,
    threadIds: source.threadIds ?? [],
    subjectHash: source.subjectHash ?? Buffer.alloc(0),
    quotaBytes,
    now,
  })
  return uids
}
