import type { MailDb } from '../handles.ts'
import { refuse } from '../refusal.ts'
import { type EntryQuery, entryRange, type FolderEntry } from './list.ts'
import { type EntryRange, entriesStatement } from './list-queries.ts'

/** Rows of a folder by UID, as IMAP reads them: what a message is made of, without its flags. */
export type MessageDetails = DetailsRow

/** A message with what its bytes are read by. Its structure is decoded by the caller that needs it: pages have many. */
export type MessageSource = SourceRow

/** A message is some kilobytes of row. */
const MAX_SOURCES = 500
const MAX_DETAILS = 5_000

/** When messages came into the folder, and how they begin; in order, those that are not there are left out. */
export const listDetails = (db: MailDb, input: FolderUids): Promise<MessageDetails[]> =>
  input.uids.length > MAX_DETAILS ? tooMany(MAX_DETAILS) : findDetails(db, input)

/** Messages with all that is needed to read envelopes, body structures and bytes. */
export const listSources = (db: MailDb, input: FolderUids): Promise<MessageSource[]> =>
  input.uids.length > MAX_SOURCES ? tooMany(MAX_SOURCES) : findSources(db, input)

/** And with their flags, as `listEntries` finds them; at most a page of them. */
export const listSourceEntries = (db: MailDb, input: EntryQuery): Promise<(FolderEntry & MessageSource)[]> =>
  findSourceEntries(db, entryRange(input, MAX_SOURCES))

const tooMany = (max: number): never => refuse('too_many', `at most ${max} messages at once`)

type FolderUids = { addressId: string; folderId: string; uids: readonly number[] }

/** What is shown of a message of a folder besides its flags. */
type DetailsRow = { uid: number; messageId: string; addedAt: Date; preview: string }

const findDetails = (db: MailDb, { addressId, folderId, uids }: FolderUids): Promise<DetailsRow[]> =>
  db.query<DetailsRow>({
    name: 'store-find-details',
    text: `select ${DETAILS} ${FROM}`,
    values: [addressId, folderId, uids],
  })

/** And all that its bytes are read by. */
type SourceRow = DetailsRow & {
  blobKey: string
  prefix: Buffer
  size: number
  structure: Buffer
  headers: Buffer | null
}

const findSources = (db: MailDb, { addressId, folderId, uids }: FolderUids): Promise<SourceRow[]> =>
  db.query<SourceRow>({
    name: 'store-find-sources',
    text: `select ${DETAILS}, ${SOURCE}, m.size ${FROM}`,
    values: [addressId, folderId, uids],
  })

/** Entries with their flags. */
const findSourceEntries = (db: MailDb, range: EntryRange): Promise<(FolderEntry & SourceRow)[]> =>
  db.query<FolderEntry & SourceRow>(
    entriesStatement(range, { name: 'source-entries', columns: `, p.added_at as "addedAt", m.preview, ${SOURCE}` }),
  )

const SOURCE = 'm.blob_key as "blobKey", m.prefix, m.structure, m.headers'

const DETAILS = 'p.uid, p.message_id as "messageId", p.added_at as "addedAt", m.preview'

// The UIDs are read from a query, so that PostgreSQL does not plan anew for each number of them.
const FROM = `from message_folder p join message m on m.address_id = p.address_id and m.id = p.message_id
  where p.address_id = $1 and p.folder_id = $2 and p.uid = any(array(select unnest($3::bigint[]))) order by p.uid`
