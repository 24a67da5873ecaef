import type { MessageEnvelope } from '../../tables/store.ts'
import type { MailDb, MailTx } from '../handles.ts'
import { keywordsSql, viewerStatement } from '../mailbox/viewer-queries.ts'
import { copySearched } from '../search/search-queries.ts'
import { placeMessage } from './messages.ts'
import { checkNumber } from './removal.ts'

/** A message of another mailbox, and what its copy shall be. */
export type MailboxCopy = {
  messageId: string
  /** Folders of the target mailbox. */
  folderIds: readonly string[]
  /** Defaults to the original's keywords. */
  keywords?: readonly string[]
  receivedAt?: Date
}

export type CopyToMailbox = {
  /** `viewerId`: who copies, where that is not the owner; `$seen` is theirs then. */
  from: { addressId: string; viewerId?: string | null }
  to: { addressId: string; viewerId?: string | null }
  messages: readonly MailboxCopy[]
  /** The quota of the target mailbox; null is no limit. */
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
  const copied = copies.map((copy) => {
    const row = byPlace.get(`${copy.uids[0]?.folderId} ${copy.uids[0]?.uid}`)
    return { ...copy, newMessageId: row?.messageId ?? '', threadId: row?.threadId ?? '' }
  })
  const pairs = copied.map(({ messageId, newMessageId }) => ({ from: messageId, to: newMessageId }))
  if (pairs.length > 0) await copySearched(tx, { from: from.addressId, to: to.addressId, pairs })
  return copied
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
    searched: null,
    quotaBytes,
    now,
  })
  return uids
}

/** All that is known of a message, for a copy of it in another mailbox. */
type CopySource = {
  id: string
  blobKey: string
  prefix: Buffer
  size: number
  structure: Buffer
  headers: Buffer | null
  wireGrowth: number
  keywords: string[]
  receivedAt: Date
  receivedZone: number
  sentAt: Date | null
  subject: string | null
  preview: string
  hasAttachment: boolean
  envelope: MessageEnvelope
  fromSort: string
  toSort: string
  subjectSort: string
  /** The ids that join it to a thread, and the subject that they count for; null without any. */
  threadIds: Buffer[] | null
  subjectHash: Buffer | null
}

/** Messages in the order of the ids, with the keywords that who copies sees; unknown ones are left out. */
const findCopySources = (
  db: MailDb,
  { addressId, viewerId, ids }: { addressId: string; viewerId: string | null; ids: readonly string[] },
): Promise<CopySource[]> =>
  db.query<CopySource>(
    viewerStatement(viewerId, {
      name: 'store-find-copy-sources',
      text: (viewer) => `select m.id, m.blob_key as "blobKey", m.prefix, m.size, m.structure, m.headers,
        m.wire_growth as "wireGrowth",
        ${keywordsSql('m', viewer)} as keywords,
        m.received_at as "receivedAt", m.received_zone as "receivedZone", m.sent_at as "sentAt", m.subject, m.preview, m.has_attachment as "hasAttachment",
        m.envelope, m.from_sort as "fromSort", m.to_sort as "toSort", m.subject_sort as "subjectSort",
        l.ids as "threadIds", l.subject_hash as "subjectHash"
      from unnest($2::uuid[]) with ordinality w (id, nth)
        join message m on m.address_id = $1 and m.id = w.id
        left join lateral (
          select array_agg(id_hash) as ids, subject_hash from thread_link
          where address_id = $1 and message_id = m.id group by subject_hash limit 1
        ) l on true
      order by w.nth`,
      values: [addressId, ids],
    }),
  )

type PlacedMessage = { folderId: string; uid: number; messageId: string; threadId: string }

/** Reads the placed rows again: merging threads may have changed the ids of their messages. */
const findPlaced = (
  db: MailDb,
  addressId: string,
  rows: readonly { folderId: string; uid: number }[],
): Promise<PlacedMessage[]> =>
  db.query<PlacedMessage>({
    name: 'store-find-placed',
    text: `select p.folder_id as "folderId", p.uid, p.message_id as "messageId", m.thread_id as "threadId"
      from unnest($2::uuid[], $3::bigint[]) r (folder_id, uid)
        join message_folder p on p.address_id = $1 and p.folder_id = r.folder_id and p.uid = r.uid
        join message m on m.address_id = $1 and m.id = p.message_id`,
    values: [addressId, rows.map(({ folderId }) => folderId), rows.map(({ uid }) => uid)],
  })
