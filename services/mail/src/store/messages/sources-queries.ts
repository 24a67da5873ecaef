import type { MailDb } from '../handles.ts'
import { type EntryRange, entriesStatement, type FolderEntry } from './list-queries.ts'

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
    text: `select ${DETAILS}, ${SOURCE}, m.size ${FROM}`,
    values: [addressId, folderId, uids],
  })

/** The same with the flags. */
export const findSourceEntries = (db: MailDb, range: EntryRange): Promise<(FolderEntry & SourceRow)[]> =>
  db.query<FolderEntry & SourceRow>(
    entriesStatement(range, { name: 'source-entries', columns: `, p.added_at as "addedAt", m.preview, ${SOURCE}` }),
  )

const SOURCE = 'm.blob_key as "blobKey", m.prefix, m.structure, m.headers'

const DETAILS = 'p.uid, p.message_id as "messageId", p.added_at as "addedAt", m.preview'

// The UIDs are read from a query, so that PostgreSQL does not plan anew for each number of them.
const FROM = `from message_folder p join message m on m.address_id = p.address_id and m.id = p.message_id
  where p.address_id = $1 and p.folder_id = $2 and p.uid = any(array(select unnest($3::bigint[]))) order by p.uid`
