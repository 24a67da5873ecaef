import type { MailDb } from './handles.ts'

export type FolderUids = { addressId: string; folderId: string; uids: readonly number[] }

/** What is shown of a message of a folder besides its flags. */
export type DetailsRow = { uid: number; messageId: string; addedAt: Date; preview: string }

export const findDetails = (db: MailDb, { addressId, folderId, uids }: FolderUids): Promise<DetailsRow[]> =>
  db.query<DetailsRow>({
    name: 'store-find-details',
    text: `select ${DETAILS} ${FROM}`,
    values: [addressId, folderId, uids],
  })

/** And all that its bytes are read by. */
export type SourceRow = DetailsRow & {
  blobKey: string
  prefix: Buffer
  size: number
  structure: Buffer
  headers: Buffer | null
}

export const findSources = (db: MailDb, { addressId, folderId, uids }: FolderUids): Promise<SourceRow[]> =>
  db.query<SourceRow>({
    name: 'store-find-sources',
    text: `select ${DETAILS}, m.blob_key as "blobKey", m.prefix, m.size, m.structure, m.headers ${FROM}`,
    values: [addressId, folderId, uids],
  })

const DETAILS = 'p.uid, p.message_id as "messageId", p.added_at as "addedAt", m.preview'

// The UIDs are read from a query, so that PostgreSQL does not plan anew for each number of them.
const FROM = `from message_folder p join message m on m.address_id = p.address_id and m.id = p.message_id
  where p.address_id = $1 and p.folder_id = $2 and p.uid = any(array(select unnest($3::bigint[]))) order by p.uid`
