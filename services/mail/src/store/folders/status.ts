import type { MailDb } from '../handles.ts'
import type { Folder } from './folder-paths.ts'
import { findUncounted } from './status-queries.ts'

/** Counts of a folder as IMAP has them: with messages that are marked \Deleted, and drafts that nobody has seen. */
export type FolderStatus = {
  messages: number
  unseen: number
  deleted: number
  size: number
  deletedSize: number
  /** Not yet told to any session (RFC 3501 §2.3.2). */
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
