import type { MailDb } from '../handles.ts'
import { viewedSql, viewerStatement } from '../mailbox/viewer-queries.ts'
import { hidden } from '../messages/hidden.ts'
import type { Folder } from './folder-paths.ts'

/** Counts of a folder as IMAP has them: with messages that are marked \Deleted, and drafts that nobody has seen. */
export type FolderStatus = {
  messages: number
  unseen: number
  deleted: number
  size: number
  deletedSize: number
  /** Not yet reported to any session (RFC 3501 §2.3.2). Null: not requested. */
  recent: number | null
  /** The highest modseq of its messages and of those that were expunged. */
  highestModseq: number
}

/** Status by folder id. */
export const statusOfFolders = async (
  db: MailDb,
  {
    addressId,
    viewerId = null,
    folders,
    countsRecent = false,
  }: {
    addressId: string
    viewerId?: string | null
    /** It takes as long as there are recent ones. */
    countsRecent?: boolean
    folders: readonly Pick<Folder, 'id' | 'total' | 'unread' | 'sizeBytes'>[]
  },
): Promise<Map<string, FolderStatus>> => {
  const rows = await findUncounted(db, { addressId, viewerId, countsRecent, folderIds: folders.map(({ id }) => id) })
  const byId = new Map(folders.map((folder) => [folder.id, folder]))
  return new Map(
    rows.flatMap((row) => {
      const folder = byId.get(row.folderId)
      if (!folder) return []
      const status: FolderStatus = {
        messages: folder.total + row.deleted,
        unseen: folder.unread + row.unseen,
        deleted: row.deleted,
        size: folder.sizeBytes + row.deletedBytes,
        deletedSize: row.deletedBytes,
        recent: row.recent,
        highestModseq: row.highestModseq,
      }
      return [[row.folderId, status]]
    }),
  )
}

/** What the counts of a folder leave out and IMAP counts. */
type UncountedRow = {
  folderId: string
  deleted: number
  deletedBytes: number
  /** Not seen, but \Deleted or a draft. */
  unseen: number
  recent: number | null
  highestModseq: number
}

type Uncounted = {
  addressId: string
  viewerId: string | null
  countsRecent: boolean
  folderIds: readonly string[]
}

const ADDRESS = hidden('$1::uuid')
const FOLDERS = 'any(array(select unnest($2::uuid[])))'

const RECENT = `(select count(*) from message_folder p where p.address_id = ${ADDRESS} and p.folder_id = f.id and p.uid > coalesce(
  (select r.uid from folder_recent r where r.address_id = ${ADDRESS} and r.folder_id = f.id), 0))`

const findUncounted = (
  db: MailDb,
  { addressId, viewerId, countsRecent, folderIds }: Uncounted,
): Promise<UncountedRow[]> =>
  db.query<UncountedRow>(
    viewerStatement(viewerId, {
      name: countsRecent ? 'store-find-uncounted-and-recent' : 'store-find-uncounted',
      text: (viewer) => `with few as (
          select folder_id, uid, message_id, deleted from message_folder where address_id = ${ADDRESS} and folder_id = ${FOLDERS} and deleted
          union
          select folder_id, uid, message_id, deleted from message_folder
            where address_id = ${ADDRESS} and folder_id = ${FOLDERS} and message_id = any(array(
              select id from message where address_id = ${ADDRESS} and keywords @> '{$draft}'::text[]))
        ), sums as (
          select w.folder_id, count(*) filter (where w.deleted) as deleted,
            coalesce(sum(m.size) filter (where w.deleted), 0)::bigint as bytes,
            count(*) filter (where not ${viewer === null ? `m.keywords @> '{$seen}'::text[]` : viewedSql('m', viewer)}) as unseen
          from few w cross join lateral (
            select id, size, keywords from message where address_id = ${ADDRESS} and id = w.message_id limit 1
          ) m group by w.folder_id
        )
        select f.id as "folderId", coalesce(s.deleted, 0) as deleted, coalesce(s.bytes, 0) as "deletedBytes",
          coalesce(s.unseen, 0) as unseen, ${countsRecent ? RECENT : 'null'} as recent,
          greatest(f.created_modseq,
            (select max(modseq) from message_folder where address_id = ${ADDRESS} and folder_id = f.id),
            (select max(modseq) from expunged where address_id = ${ADDRESS} and folder_id = f.id)) as "highestModseq"
        from folder f left join sums s on s.folder_id = f.id
        where f.address_id = ${ADDRESS} and f.id = ${FOLDERS}`,
      values: [addressId, folderIds],
    }),
  )
