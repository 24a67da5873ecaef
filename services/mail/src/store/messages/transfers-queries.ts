import type { MessageEnvelope } from '../../tables/store.ts'
import type { MailDb } from '../handles.ts'
import { keywordsSql, viewerStatement } from '../mailbox/viewer-queries.ts'

/** All that is known of a message, for a copy of it in another mailbox. */
export type CopySource = {
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
export const findCopySources = (
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

export type PlacedMessage = { folderId: string; uid: number; messageId: string; threadId: string }

/** What is in these rows now: threads that were merged gave messages other ids. */
export const findPlaced = (
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
