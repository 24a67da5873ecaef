import { inBatches } from '@stoa/kit/db/batches.ts'
import type { DeletedMessageTable } from '../../tables/store.ts'
import { findFolders } from '../folders/folder-queries.ts'
import type { MailDatabase, MailDb, MailTx } from '../handles.ts'
import { openMailbox } from '../mailbox/mailbox.ts'
import type { ListedMessage } from './list-queries.ts'
import { placeMessage } from './messages.ts'
import { checkNumber } from './removal.ts'

/** A message that is in no folder any more, and when it goes for good. */
export type DeletedMessage = ListedMessage & { deletedAt: Date; purgeAt: Date }

export type DeletedQuery = {
  addressId: string
  now: Date
  search: string | null
  sort: 'deleted_at' | 'received_at' | 'subject' | 'size_bytes'
  direction: 'asc' | 'desc'
  limit: number
  offset: number
}

const SORTED_BY = {
  deleted_at: 'deleted_at',
  received_at: 'received_at',
  subject: 'subject_sort',
  size_bytes: 'size',
} as const satisfies Record<DeletedQuery['sort'], string>

export const listDeletedMessages = async (
  db: MailDb,
  { addressId, now, search, sort, direction, limit, offset }: DeletedQuery,
): Promise<{ messages: DeletedMessage[]; total: number }> => {
  const where = `from deleted_message where address_id = $1 and purge_at > $3 and ($2::text is null
    or strpos(lower(concat_ws(' ', subject, preview, envelope::text)), lower($2)) > 0)`
  const [count] = await db.query<{ total: number }>({
    text: `select count(*) as total ${where}`,
    values: [addressId, search, now],
  })
  const order = direction === 'asc' ? 'asc' : 'desc'
  const messages = await db.query<DeletedMessage>({
    text: `select id, thread_id as "threadId", array[folder_id] as "folderIds", keywords, size,
        received_at as "receivedAt", sent_at as "sentAt", subject, preview, has_attachment as "hasAttachment", envelope,
        null as "snoozedUntil", 0 as "createdModseq", 0 as modseq, deleted_at as "deletedAt", purge_at as "purgeAt"
      ${where} order by ${SORTED_BY[sort]} ${order}, id ${order} limit $4 offset $5`,
    values: [addressId, search, now, limit, offset],
  })
  return { messages, total: count?.total ?? 0 }
}

type RestoreDeleted = {
  addressId: string
  messageIds: readonly string[]
  quotaBytes: number | null
  now: Date
}

/**
 * Brings messages back to where they were; to the inbox where that folder is gone or was the trash. They are new messages
 * to mail programs. A refusal must end the transaction: `over_quota`, `too_many`.
 */
export const restoreDeletedMessages = async (
  tx: MailTx,
  { addressId, messageIds, quotaBytes, now }: RestoreDeleted,
): Promise<{ restored: string[]; notFound: string[] }> => {
  checkNumber(messageIds)
  await openMailbox(tx, addressId)
  const rows = await takeDeleted(tx, addressId, { ids: [...new Set(messageIds)], after: now })
  const folders = await findFolders(tx, addressId)
  const inbox = folders.find(({ role }) => role === 'inbox')?.id ?? ''
  const known = new Set(folders.filter(({ role }) => role !== 'trash').map(({ id }) => id))
  for (const row of rows)
    await placeMessage(tx, {
      ...row,
      addressId,
      blob: { key: row.blobKey, size: row.size - row.prefix.length },
      folderIds: [known.has(row.folderId) ? row.folderId : inbox],
      subjectHash: row.subjectHash ?? Buffer.alloc(0),
      // Read again beside everything else
      searched: null,
      quotaBytes,
      now,
    })
  const restored = rows.map(({ id }) => id)
  return { restored, notFound: messageIds.filter((id) => !restored.includes(id)) }
}

/** Removes messages for good that were just deleted. */
export const forgetDeletedMessages = async (
  tx: MailTx,
  addressId: string,
  messageIds: readonly string[],
): Promise<void> => {
  await takeDeleted(tx, addressId, { ids: messageIds, after: null })
}

const ROWS_AT_ONCE = 500

/** Removes messages whose time to be restored is over. Their bytes go with the next sweep, as their links expire too. */
export const purgeDeletedMessages = async (database: MailDatabase, now: Date): Promise<void> => {
  await inBatches(database, ROWS_AT_ONCE, async (tx, limit) => {
    const gone = await tx.query({
      text: `delete from deleted_message where ctid = any (array(
               select ctid from deleted_message where purge_at <= $1 order by purge_at limit $2 for update skip locked))
             returning 1`,
      values: [now, limit],
    })
    return gone.length
  })
}

type TakenRow = {
  id: string
  folderId: string
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
  envelope: DeletedMessageTable['envelope']
  fromSort: string
  toSort: string
  subjectSort: string
  threadIds: Buffer[]
  subjectHash: Buffer | null
}

/** The rows, of those that can be restored after a moment if one is given, with the links that keep their bytes, which another link must keep from now on, or nobody. */
const takeDeleted = (
  tx: MailTx,
  addressId: string,
  { ids, after }: { ids: readonly string[]; after: Date | null },
): Promise<TakenRow[]> =>
  tx.query<TakenRow>({
    text: `with taken as (
        delete from deleted_message
        where address_id = $1 and id = any ($2::uuid[]) and ($3::timestamptz is null or purge_at > $3) returning *
      ), links as (
        delete from blob_link l using taken t
        where l.owner_id = $1 and l.blob_key = t.blob_key and l.kind = 'deleted' and l.ref_id = t.id
      )
      select id, folder_id as "folderId", blob_key as "blobKey", prefix, size, structure, headers,
        wire_growth as "wireGrowth", keywords, received_at as "receivedAt", received_zone as "receivedZone",
        sent_at as "sentAt", subject, preview, has_attachment as "hasAttachment", envelope, from_sort as "fromSort",
        to_sort as "toSort", subject_sort as "subjectSort", thread_ids as "threadIds", subject_hash as "subjectHash"
      from taken order by received_at, id`,
    values: [addressId, ids, after],
  })
