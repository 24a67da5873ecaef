import type { MailDb } from '../handles.ts'
import { viewedSql, viewerStatement } from '../mailbox/viewer-queries.ts'
import type { Folder } from './folder-paths.ts'

/** Counts of a folder as IMAP has them: with messages that are marked \Deleted, and drafts that nobody has seen. */
export type FolderStatus = {
  messages: number
  unseen: number
  deleted: number
  size: number
  deletedSize: number
  /** Not yet reported to any session (RFC 3501 §2.3.2). */
  recent: number
  /** Of its messages and of those that were expunged. */
  highestModseq: number
}

/** By the ids of the folders. */
export const statusOfFolders = async (
  db: MailDb,
  {
    addressId,
    viewerId = null,
    folders,
  }: {
    addressId: string
    viewerId?: string | null
    folders: readonly Pick<Folder, 'id' | 'total' | 'unread' | 'sizeBytes'>[]
  },
): Promise<Map<string, FolderStatus>> => {
  const rows = await findUncounted(db, { addressId, viewerId, folderIds: folders.map(({ id }) => id) })
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
  recent: number
  highestModseq: number
}

const findUncounted = (
  db: MailDb,
  { addressId, viewerId, folderIds }: { addressId: string; viewerId: string | null; folderIds: readonly string[] },
): Promise<UncountedRow[]> =>
  db.query<UncountedRow>(
    viewerStatement(viewerId, {
      name: 'store-find-uncounted',
      text: (viewer) => `with few as (
          select folder_id, uid, message_id, deleted from message_folder
            where address_id = $1 and folder_id = any($2::uuid[]) and deleted
          union
          select folder_id, uid, message_id, deleted from message_folder
            where address_id = $1 and folder_id = any($2::uuid[]) and message_id = any(array(
              select id from message where address_id = $1 and keywords @> '{$draft}'::text[]))
        ), sums as (
          select w.folder_id, count(*) filter (where w.deleted) as deleted,
            coalesce(sum(m.size) filter (where w.deleted), 0)::bigint as bytes,
            count(*) filter (where not ${viewer === null ? `m.keywords @> '{$seen}'::text[]` : viewedSql('m', viewer)}) as unseen
          from few w join message m on m.address_id = $1 and m.id = w.message_id group by w.folder_id
        )
        select f.id as "folderId", coalesce(s.deleted, 0) as deleted, coalesce(s.bytes, 0) as "deletedBytes",
          coalesce(s.unseen, 0) as unseen,
          (select count(*) from message_folder p where p.address_id = $1 and p.folder_id = f.id and p.uid > coalesce(
            (select r.uid from folder_recent r where r.address_id = $1 and r.folder_id = f.id), 0)) as recent,
          greatest(f.created_modseq,
            (select max(modseq) from message_folder where address_id = $1 and folder_id = f.id),
            (select max(modseq) from expunged where address_id = $1 and folder_id = f.id)) as "highestModseq"
        from folder f left join sums s on s.folder_id = f.id
        where f.address_id = $1 and f.id = any($2::uuid[])`,
      values: [addressId, folderIds],
    }),
  )
